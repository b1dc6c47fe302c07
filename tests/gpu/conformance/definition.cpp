#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attention/transforms.h"
#include "core/head/forward.h"
#include "core/math/area.h"
#include "core/math/largest.h"
#include "tests/gpu/conformance/conformance.h"

namespace dispersion {
namespace {

// One set, of which `activations` hold the embeddings and logits, under one transform.
void define(const Parameters<double>& head, const AttentionTransform& transform, int largest,
            std::span<const double> logits, Activations<double>& activations,
            DefinedTransform& defined) {
  std::vector<double> weights(logits.size());
  const TransformResult result =
      attention_weights<double>(logits, transform, weights, head.learned());
  defined.entropy.push_back(result.entropy);
  defined.beta.push_back(result.beta);
  defined.weight_on_max.push_back(weights[static_cast<std::size_t>(largest)]);
  pool_items(weights.data(), activations.item_embedding.data(), static_cast<int>(logits.size()),
             head.shape.width, false, activations.pooled_embedding.data());
  read_out(head, 1, activations);
  const double* class_logits = activations.class_logits.data();
  defined.class_logits.insert(defined.class_logits.end(), class_logits,
                              class_logits + head.shape.classes);
}

// Whether the weights of a set jump where two logits change places, and did: hard attention, whose
// largest logit float may take for the second.
bool jumped(const AttentionTransform& transform, const DefinedSets& defined, int set, int argmax) {
  return transform.id == TransformId::kHard &&
         argmax != static_cast<int>(std::ranges::max_element(defined.row(set)) -
                                    defined.row(set).begin());
}

}  // namespace

std::span<const double> DefinedSets::row(int set) const {
  return std::span(logits).subspan(area(set, items), static_cast<std::size_t>(items));
}

// The paths of the CPU agree so well on trained heads, whose logits are below 100 in size
// (tests/core/spectral_evaluation_test.cpp).
double DefinedSets::logit_tolerance() const {
  double size = 0;
  for (const double logit : logits)
    size = std::max(size, std::abs(logit));
  return 2e-4 * std::max(1.0, size / 100);
}

DefinedSets define_sets(const Parameters<float>& head, const ItemSetsView& sets,
                        std::span<const AttentionTransform> transforms) {
  DefinedSets defined{sets.sets, sets.items, head.shape.classes, {}, {}};
  defined.transforms.resize(transforms.size());
  const Parameters<double> in_double = convert_parameters<double>(head);
  Activations<double> activations;
  for (int set = 0; set < sets.sets; ++set) {
    const ItemSetsView one = sets.slice(set, 1);
    forward(in_double, one, AttentionTransform(), activations);
    const std::span<const double> logits(activations.attention_logits.data(),
                                         static_cast<std::size_t>(sets.items));
    defined.logits.insert(defined.logits.end(), logits.begin(), logits.end());
    const int largest = first_largest({one.priority, logits.size()});
    for (std::size_t t = 0; t < transforms.size(); ++t)
      define(in_double, transforms[t], largest, logits, activations, defined.transforms[t]);
  }
  return defined;
}

void expect_defined_logits(const std::vector<float>& logits, const DefinedSets& defined) {
  ASSERT_EQ(logits.size(), defined.logits.size());
  const double tolerance = defined.logit_tolerance();
  for (std::size_t i = 0; i < logits.size(); ++i)
    ASSERT_NEAR(logits[i], defined.logits[i], tolerance) << "item " << i;
}

void expect_defined(const SetEvaluation& evaluation, const ItemSetsView& sets,
                    std::span<const AttentionTransform> transforms, const DefinedSets& defined) {
  const auto count = static_cast<std::size_t>(sets.sets);
  ASSERT_EQ(evaluation.sets, sets.sets);
  ASSERT_EQ(evaluation.items, sets.items);
  ASSERT_EQ(evaluation.logit_max.size(), count);
  ASSERT_EQ(evaluation.transforms.size(), transforms.size());
  const double tolerance = defined.logit_tolerance();
  for (int s = 0; s < sets.sets; ++s) {
    const std::span<const double> row = defined.row(s);
    const auto [low, high] = std::ranges::minmax(row);
    EXPECT_NEAR(evaluation.logit_max[s], high, tolerance);
    EXPECT_NEAR(evaluation.logit_min[s], low, tolerance);
    ASSERT_LT(static_cast<std::size_t>(evaluation.argmax_logit[s]), row.size());
    EXPECT_NEAR(row[static_cast<std::size_t>(evaluation.argmax_logit[s])], high, tolerance);
    const std::span<const float> priority(sets.priority + area(s, sets.items), row.size());
    const int largest = first_largest(priority);
    EXPECT_EQ(evaluation.argmax_priority[s], largest);
    EXPECT_EQ(evaluation.largest_priorities[s],
              std::ranges::count(priority, priority[static_cast<std::size_t>(largest)]));
  }
  for (std::size_t t = 0; t < transforms.size(); ++t) {
    const TransformEvaluation& found = evaluation.transforms[t];
    const DefinedTransform& wanted = defined.transforms[t];
    EXPECT_EQ(found.transform, transforms[t]);
    SCOPED_TRACE(transform_text(transforms[t]));
    ASSERT_EQ(found.class_logits.size(), wanted.class_logits.size());
    for (int s = 0; s < sets.sets; ++s) {
      if (jumped(transforms[t], defined, s, evaluation.argmax_logit[s])) continue;
      // As between the paths of the CPU (tests/core/spectral_evaluation_test.cpp), where logits are
      // off by 2e-4 at most: tests/gpu/evaluation_parity_test.cpp derives what follows from that
      // for weights, entropies, beta and class logits.
      // All grow with the logits' errors, and colder weights hang more on them.
      const double colder = tolerance / 2e-4 * std::max(1.0, 1 / transforms[t].theta);
      EXPECT_NEAR(found.entropy[s], wanted.entropy[s], 3e-4 * colder) << "set " << s;
      EXPECT_NEAR(found.weight_on_max[s], wanted.weight_on_max[s], 2e-4 * colder) << "set " << s;
      if (std::isinf(wanted.beta[s])) {
        EXPECT_EQ(found.beta[s], std::numeric_limits<float>::infinity());
      } else {
        EXPECT_NEAR(found.beta[s], wanted.beta[s], 1e-3 * colder) << "set " << s;
      }
      const std::span<const float> class_logits =
          std::span(found.class_logits)
              .subspan(area(s, defined.classes), static_cast<std::size_t>(defined.classes));
      for (int c = 0; c < defined.classes; ++c) {
        EXPECT_NEAR(class_logits[static_cast<std::size_t>(c)],
                    wanted.class_logits[area(s, defined.classes) + static_cast<std::size_t>(c)],
                    1e-3 * colder)
            << "set " << s << ", class " << c;
      }
      EXPECT_EQ(found.predicted[s], predicted_class(class_logits));
    }
  }
}

void expect_same_set(const SetEvaluation& a, int set_of_a, const SetEvaluation& b, int set_of_b) {
  EXPECT_EQ(a.logit_max[set_of_a], b.logit_max[set_of_b]);
  EXPECT_EQ(a.logit_min[set_of_a], b.logit_min[set_of_b]);
  EXPECT_EQ(a.argmax_logit[set_of_a], b.argmax_logit[set_of_b]);
  EXPECT_EQ(a.argmax_priority[set_of_a], b.argmax_priority[set_of_b]);
  EXPECT_EQ(a.largest_priorities[set_of_a], b.largest_priorities[set_of_b]);
  ASSERT_EQ(a.transforms.size(), b.transforms.size());
  for (std::size_t t = 0; t < a.transforms.size(); ++t) {
    const TransformEvaluation& of_a = a.transforms[t];
    const TransformEvaluation& of_b = b.transforms[t];
    EXPECT_EQ(of_a.transform, of_b.transform);
    EXPECT_EQ(of_a.entropy[set_of_a], of_b.entropy[set_of_b]);
    EXPECT_EQ(of_a.weight_on_max[set_of_a], of_b.weight_on_max[set_of_b]);
    EXPECT_EQ(of_a.beta[set_of_a], of_b.beta[set_of_b]);
    EXPECT_EQ(of_a.predicted[set_of_a], of_b.predicted[set_of_b]);
    const std::size_t classes = of_a.class_logits.size() / a.logit_max.size();
    EXPECT_TRUE(std::ranges::equal(
        std::span(of_a.class_logits).subspan(area(set_of_a, static_cast<int>(classes)), classes),
        std::span(of_b.class_logits).subspan(area(set_of_b, static_cast<int>(classes)), classes)));
  }
}

}  // namespace dispersion
