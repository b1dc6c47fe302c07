// The hand-derived gradient against central differences, in double, on small shapes.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/head/backward.h"
#include "core/head/forward.h"
#include "core/head/optimiser.h"
#include "core/task/item_sets.h"

namespace dispersion {
namespace {

constexpr HeadShape kSmall{.width = 6, .classes = 10};

Parameters<double> random_head(HeadShape shape, double scale) {
  Parameters<double> head = convert_parameters<double>(initial_parameters(shape, 3));
  for (std::size_t i = 0; i < head.values.size(); ++i) {
    head.values[i] = scale * head.values[i] + 0.05 * std::sin(0.7 * static_cast<double>(i));
  }
  return head;
}

double mean_cross_entropy(const Parameters<double>& head, const ItemSetsView& sets,
                          const AttentionTransform& transform) {
  Activations<double> activations;
  forward(head, sets, transform, activations);
  double sum = 0;
  for (int s = 0; s < sets.sets; ++s) {
    sum += cross_entropy(std::span<const double>(activations.class_logits.data() + s * 10, 10),
                         sets.label[s]);
  }
  return sum / sets.sets;
}

struct Case {
  const char* name;
  int sets;
  int items;
  double scale;
  AttentionTransform transform;
};

class Gradient : public testing::TestWithParam<Case> {};

TEST_P(Gradient, AgreesWithCentralDifferences) {
  const Case& c = GetParam();
  Parameters<double> head = random_head(kSmall, c.scale);
  ItemSets sets;
  sets.resize(c.sets, c.items);
  draw_item_sets(2, RandomPurpose::kTraining, 0, 0, sets);

  Activations<double> activations;
  BackwardWorkspace<double> workspace;
  Parameters<double> gradient(kSmall);
  forward(head, sets.view(), c.transform, activations);
  if (c.transform.id == TransformId::kAdaptive) {
    // Otherwise the flow through beta would go untested.
    int active = 0;
    for (const TransformResult& result : activations.transform_results)
      active += result.beta > 1 ? 1 : 0;
    ASSERT_GT(active, 0);
  }
  const BatchLoss loss = backward(head, sets.view(), c.transform, BetaGradient::kThrough,
                                  1.0 / c.sets, activations, workspace, gradient);
  EXPECT_NEAR(loss.cross_entropy / c.sets, mean_cross_entropy(head, sets.view(), c.transform),
              1e-13);

  double scale = 0;
  for (const double g : gradient.values)
    scale = std::max(scale, std::abs(g));
  for (std::size_t i = 0; i < head.values.size(); ++i) {
    const double step = 1e-4;
    const double kept = head.values[i];
    const auto at = [&](double offset) {
      head.values[i] = kept + offset;
      return mean_cross_entropy(head, sets.view(), c.transform);
    };
    // Fourth order.
    const double difference =
        (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
    head.values[i] = kept;
    ASSERT_NEAR(gradient.values[i], difference, 1e-9 * std::max(1.0, scale)) << "parameter " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Gradient,
    testing::Values(Case{"softmax", 3, 7, 1.5, {}}, Case{"one_item", 2, 1, 1.5, {}},
                    Case{"softmax_theta", 3, 5, 2.0, {TransformId::kSoftmax, 0.4, {}}},
                    Case{"adaptive", 3, 9, 1.5, {TransformId::kAdaptive, 1.0, {}}},
                    Case{"adaptive_theta", 3, 9, 1.5, {TransformId::kAdaptive, 0.7, {}}}),
    [](const auto& param_info) { return param_info.param.name; });

TEST(GradientSlices, AddUpToTheGradientOfTheBatch) {
  const Parameters<double> head = random_head(kSmall, 1.5);
  ItemSets sets;
  sets.resize(10, 6);
  draw_item_sets(2, RandomPurpose::kTraining, 0, 0, sets);
  Activations<double> activations;
  BackwardWorkspace<double> workspace;
  const auto gradient_of = [&](int first, int count) {
    Parameters<double> gradient(kSmall);
    const ItemSetsView view = sets.view().slice(first, count);
    forward(head, view, AttentionTransform{}, activations);
    backward(head, view, AttentionTransform{}, BetaGradient::kStopped, 0.1, activations, workspace,
             gradient);
    return gradient;
  };
  const auto whole = gradient_of(0, 10);
  const auto a = gradient_of(0, 3);
  const auto b = gradient_of(3, 7);
  for (std::size_t i = 0; i < whole.values.size(); ++i) {
    ASSERT_NEAR(whole.values[i], a.values[i] + b.values[i], 1e-14);
  }
}

class L2Gradient : public testing::TestWithParam<L2Form> {};

TEST_P(L2Gradient, AgreesWithCentralDifferences) {
  Recipe recipe;
  recipe.l2 = GetParam();
  recipe.l2_lambda = 0.03;
  Parameters<double> head = random_head(kSmall, 1);
  Parameters<double> gradient(kSmall);
  add_l2_gradient(recipe, head, gradient);
  for (std::size_t i = 0; i < head.values.size(); i += 7) {
    const double kept = head.values[i];
    head.values[i] = kept + 1e-3;
    const double up = l2_loss(recipe, head);
    head.values[i] = kept - 1e-3;
    const double down = l2_loss(recipe, head);
    head.values[i] = kept;
    ASSERT_NEAR(gradient.values[i], (up - down) / 2e-3, 1e-11) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, L2Gradient,
                         testing::Values(L2Form::kHalfKernels, L2Form::kHalfAll,
                                         L2Form::kFullKernels, L2Form::kFullAll, L2Form::kDecoupled,
                                         L2Form::kNone));

}  // namespace
}  // namespace dispersion
