// Training with rounding: the same numbers for any number of threads, and the gradient it says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/cpu/cpu_backend.h"
#include "core/head/backward.h"
#include "core/head/forward.h"
#include "core/head/optimiser.h"
#include "core/precision/rounded_backward.h"

namespace dispersion {
namespace {

class TrainingIn : public testing::TestWithParam<Precision> {};

Recipe recipe_in(Precision precision) {
  Recipe recipe;
  recipe.batch_sets = 20;
  recipe.precision = precision;
  recipe.path = HeadPath::kDirect;
  return recipe;
}

std::unique_ptr<Backend> trained(const Recipe& recipe, int threads, int steps) {
  auto backend = make_cpu_backend(threads);
  backend->load(recipe, {start_training({}, 1), start_training({}, 2)});
  std::vector<StepRecord> records;
  backend->train(steps, records);
  return backend;
}

TEST_P(TrainingIn, TheSameBitsForAnyNumberOfThreads) {
  const Recipe recipe = recipe_in(GetParam());
  const auto one = trained(recipe, 1, 6);
  const auto exact = trained(recipe_in(Precision::kFloat), 1, 6);
  for (const int threads : {2, 3}) {
    const auto many = trained(recipe, threads, 6);
    for (int h = 0; h < 2; ++h)
      EXPECT_EQ(one->state(h).parameters, many->state(h).parameters) << threads;
  }
  EXPECT_NE(one->state(0).parameters, exact->state(0).parameters);
}

// Adam's first moment after one step is (1 - beta1) times the gradient, L2 included.
TEST_P(TrainingIn, TheGradientIsThatOfTheRoundedHead) {
  Recipe recipe = recipe_in(GetParam());
  recipe.batch_sets = 1000;  // enough for some sets to have their largest priorities rounded to one
  const auto backend = trained(recipe, 1, 1);

  const Parameters<float> head = initial_parameters({}, 1);
  ItemSets sets;
  sets.resize(recipe.batch_sets, draw_batch_size(1, 0, recipe.smallest_set, recipe.largest_set));
  draw_item_sets(1, RandomPurpose::kTraining, 0, 0, sets);
  // Labels are drawn by now: from unrounded priorities.
  round_values(priority_rounding(recipe.precision), sets.priority.data(), sets.priority.data(),
               sets.priority.size());
  int moved = 0;
  for (int s = 0; s < sets.sets; ++s) {
    const std::span<const float> row(sets.priority.data() + s * sets.items,
                                     static_cast<std::size_t>(sets.items));
    moved += sets.item_class[s * sets.items + first_largest(row)] != sets.label[s] ? 1 : 0;
  }
  // So that labels from rounded priorities would have been another task. In fp16 ties are too rare.
  if (priority_rounding(recipe.precision) == Rounding::kBf16) {
    ASSERT_GT(moved, 0);
  }
  Parameters<float> gradient(head.shape);
  if (product_rounding(recipe.precision) == Rounding::kNone) {
    Activations<float> activations;
    BackwardWorkspace<float> workspace;
    forward(head, sets.view(), {}, activations);
    backward(head, sets.view(), {}, BetaGradient::kStopped, 0.001f, activations, workspace,
             gradient);
  } else {
    RoundedHead ready;
    ready.assign(head, product_rounding(recipe.precision));
    RoundedActivations activations;
    RoundedBackwardWorkspace workspace;
    rounded_forward(ready, sets.view(), {}, activations);
    rounded_backward(ready, sets.view(), {}, 0.001f, activations, workspace, gradient);
  }
  add_l2_gradient(recipe, head, gradient);
  const Parameters<float> moment = backend->state(0).first_moment;
  for (const TensorSlot& slot : parameter_layout(head.shape)) {
    float scale = 0;
    for (std::size_t i = slot.offset; i < slot.offset + slot.size(); ++i)
      scale = std::max(scale, std::abs(gradient.values[i]));
    // Slices and whole batches may sum a product differently in its last bit. What then falls to
    // the other side of a tie moves by a unit of the format, in fp16 by 2^-24 at least.
    for (std::size_t i = slot.offset; i < slot.offset + slot.size(); ++i)
      ASSERT_NEAR(10 * moment.values[i], gradient.values[i], 1e-4f * scale + 1e-6f) << slot.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, TrainingIn,
                         testing::Values(Precision::kBf16Priorities, Precision::kFp16Priorities,
                                         Precision::kBf16, Precision::kFp16),
                         [](const auto& param_info) {
                           std::string name(precision_name(param_info.param));
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace dispersion
