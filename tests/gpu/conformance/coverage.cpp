#include "tests/gpu/conformance/coverage.h"

#include <gtest/gtest.h>

#include <string>

#include "core/attention/transforms.h"
#include "tests/gpu/conformance/counting_backend.h"

namespace dispersion {
namespace {

// Outlives the cases.
CallCounts& noted() {
  static CallCounts counts;
  return counts;
}

std::string with_path(const TransformMix& mix, HeadPath path) {
  return mix.name + " on the " + std::string(head_path_name(path)) + " path";
}

std::string with_sets(const TransformMix& mix, bool drawn) {
  return mix.name + (drawn ? " of drawn sets" : " of given sets");
}

std::string with_all(const SequenceAttention& attention) {
  return std::string(transform_name(attention.transform.id)) + " over sequences with " +
         std::to_string(attention.d) + " channels in " +
         std::string(attention_numbers_name(attention.numbers)) +
         (attention.causal ? ", causal" : ", not causal");
}

void expect_noted(const std::string& what) {
  EXPECT_GT(noted().of(what), 0) << "no case has the device compute " << what;
}

}  // namespace

void note_evaluated(const TransformMix& mix, HeadPath path, bool drawn) {
  noted().note(with_path(mix, path));
  noted().note(with_sets(mix, drawn));
}

void note_attended(const SequenceAttention& attention) {
  noted().note(with_all(attention));
}

void expect_all_noted() {
  for (const TransformMix& mix : device_mixes()) {
    for (const HeadPath path : {HeadPath::kSpectral, HeadPath::kDirect})
      expect_noted(with_path(mix, path));
    for (const bool drawn : {false, true})
      expect_noted(with_sets(mix, drawn));
  }
  for (const TransformDefinition* definition : transform_definitions()) {
    if (!definition->on_device || definition->beta == nullptr) continue;
    for (const int d : kSequenceWidths) {
      for (const bool causal : {false, true}) {
        for (const auto numbers : {AttentionNumbers::kFloat, AttentionNumbers::kBf16}) {
          expect_noted(with_all({.d = d,
                                 .causal = causal,
                                 .transform = usual_transform(definition->id),
                                 .numbers = numbers}));
        }
      }
    }
  }
}

}  // namespace dispersion
