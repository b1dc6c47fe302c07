#include "tests/gpu/conformance/evaluation_cases.h"

#include <algorithm>
#include <iterator>

#include "core/attention/transforms.h"
#include "longest_sets.h"
#include "tests/pairwise.h"

namespace dispersion {
namespace {

constexpr const char* kAskedNames[] = {"Logits", "Given", "GivenWithLogits", "Drawn",
                                       "DrawnDirect"};
constexpr Asked kWithTransforms[] = {Asked::kGiven, Asked::kGivenWithLogits, Asked::kDrawn,
                                     Asked::kDrawnDirect};
constexpr HeadKind kOnDevice[] = {HeadKind::kShipped, HeadKind::kFresh, HeadKind::kSteep};
constexpr std::size_t kManyTransforms = 15;  // kernels have room for 8 at once
constexpr double kThetas[] = {1, 0.6, 3};
// Around tiles of 8 and past a chunk, of 4,096 items on the spectral path and 256 on the direct
// one.
constexpr int kSizes[] = {1, 2, 15, 300, 4097, emulation::kLongSet};
constexpr int kSets[] = {1, 3, 9};
constexpr int kMostItems = 5000;       // of all sets together, but for a single one
constexpr int kMostDirectItems = 333;  // of a set; the longest is a case of its own
constexpr int kMostItemsInDirectSets = 1000;

std::vector<AttentionTransform> transforms_of_table(bool on_device) {
  std::vector<AttentionTransform> table = every_transform();
  std::erase_if(table, [&](const AttentionTransform& transform) {
    return transform_definition(transform.id).on_device != on_device;
  });
  return table;
}

// The table again and again, warmer each time.
std::vector<AttentionTransform> many(const std::vector<AttentionTransform>& table) {
  std::vector<AttentionTransform> result;
  for (std::size_t i = 0; i < kManyTransforms; ++i) {
    result.push_back(table[i % table.size()]);
    result.back().theta *= 1 + 0.25 * static_cast<double>(i / table.size());
  }
  return result;
}

TransformMix alone(const AttentionTransform& transform) {
  return {transform_word(transform), {transform}};
}

TransformMix warmed(TransformMix mix, double theta) {
  for (AttentionTransform& transform : mix.transforms)
    transform.theta *= theta;
  return mix;
}

std::vector<EvaluationCase> cases_of_devices() {
  const auto levels = [](const auto& values) { return static_cast<int>(std::size(values)); };
  std::vector<EvaluationCase> cases;
  for (const std::vector<int>& row :
       pairwise({levels(kWithTransforms), levels(kOnDevice), levels(device_mixes()),
                 levels(kThetas), levels(kSizes), levels(kSets)})) {
    EvaluationCase c{
        .asked = kWithTransforms[row[0]],
        .head = kOnDevice[row[1]],
        .mix = warmed(device_mixes()[static_cast<std::size_t>(row[2])], kThetas[row[3]]),
        .items = kSizes[row[4]],
        .sets = kSets[row[5]]};
    const bool direct = c.asked == Asked::kDrawnDirect || c.head == HeadKind::kSteep;
    if (direct) c.items = std::min(c.items, kMostDirectItems);
    const int most = direct ? kMostItemsInDirectSets : kMostItems;
    c.sets = std::min(c.sets, std::max(1, most / c.items));
    cases.push_back(c);
  }
  return cases;
}

// Sizes around tiles and chunks.
std::vector<EvaluationCase> cases_of_logits() {
  std::vector<EvaluationCase> cases = {
      {.head = HeadKind::kShipped, .items = 1, .sets = 3},
      {.head = HeadKind::kShipped, .items = 16, .sets = 9},
      {.head = HeadKind::kFresh, .items = 77, .sets = 3},
      {.head = HeadKind::kFresh, .items = 4096, .sets = 1},
      {.head = HeadKind::kShipped, .items = emulation::kLongSet, .sets = 1},
      {.head = HeadKind::kSteep, .items = 16, .sets = 9},
      {.head = HeadKind::kSteep, .items = kMostDirectItems, .sets = 1},
      {.head = HeadKind::kNarrow, .items = 16, .sets = 3}};
  for (EvaluationCase& c : cases)
    c.asked = Asked::kLogits;
  return cases;
}

std::vector<EvaluationCase> cases_without_transforms() {
  return {{.asked = Asked::kGiven, .head = HeadKind::kShipped, .items = 16, .sets = 3},
          {.asked = Asked::kGiven, .head = HeadKind::kSteep, .items = 77, .sets = 3},
          {.asked = Asked::kGivenWithLogits, .head = HeadKind::kFresh, .items = 4097, .sets = 1},
          {.asked = Asked::kDrawn, .head = HeadKind::kShipped, .items = 1000, .sets = 5},
          {.asked = Asked::kDrawnDirect, .head = HeadKind::kShipped, .items = 2, .sets = 9},
          {.asked = Asked::kDrawnDirect,
           .head = HeadKind::kFresh,
           .items = kMostDirectItems,
           .sets = 1}};
}

// Heads of another shape, and transforms that only the CPU takes: alone, together, and in the midst
// of others.
std::vector<EvaluationCase> cases_left_to_the_cpu() {
  const TransformMix table{"Table", every_transform()};
  const TransformMix left{"Left", transforms_of_table(false)};
  TransformMix left_first{"LeftFirst", every_transform()};
  std::ranges::reverse(left_first.transforms);
  const TransformMix log_n = alone(usual_transform(TransformId::kLogN));
  const HeadKind shipped = HeadKind::kShipped;
  std::vector<EvaluationCase> cases;
  for (const Asked asked : kWithTransforms) {
    cases.push_back({asked, HeadKind::kNarrow, table, 15, 3});
    cases.push_back({asked, shipped, left_first, 77, 3});
  }
  cases.push_back({Asked::kGivenWithLogits, shipped, left, 20, 3});
  cases.push_back({Asked::kDrawn, HeadKind::kSteep, warmed(table, 0.6), 77, 3});
  cases.push_back({Asked::kDrawn, shipped, log_n, 15, 9});
  return cases;
}

}  // namespace

const std::vector<TransformMix>& device_mixes() {
  static const std::vector<TransformMix> mixes = [] {
    const std::vector<AttentionTransform> taken = transforms_of_table(true);
    std::vector<TransformMix> found;
    for (const AttentionTransform& transform : taken)
      found.push_back(alone(transform));
    found.push_back(
        {"softmaxAdaptive",
         {usual_transform(TransformId::kSoftmax), usual_transform(TransformId::kAdaptive)}});
    found.push_back({"Many", many(taken)});
    return found;
  }();
  return mixes;
}

std::string EvaluationCase::name() const {
  return kAskedNames[static_cast<int>(asked)] + head_kind(head) + std::to_string(sets) + "x" +
         std::to_string(items) + "Transforms" + std::to_string(mix.transforms.size()) + mix.name;
}

const std::vector<EvaluationCase>& evaluation_cases() {
  static const std::vector<EvaluationCase> all = [] {
    std::vector<EvaluationCase> found = cases_of_devices();
    for (const auto& more :
         {cases_of_logits(), cases_without_transforms(), cases_left_to_the_cpu()})
      found.insert(found.end(), more.begin(), more.end());
    return found;
  }();
  return all;
}

}  // namespace dispersion
