// Training on the spectral path: its bits, its limits and what it does to batches and to runs that
// diverge.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/cpu/cpu_backend.h"
#include "core/spectral/points.h"
#include "tests/core/spectral_heads.h"

namespace dispersion {
namespace {

Recipe direct_recipe() {
  Recipe recipe;
  recipe.path = HeadPath::kDirect;
  return recipe;
}

Recipe spectral_recipe() {
  Recipe recipe;
  recipe.path = HeadPath::kSpectral;
  return recipe;
}

std::vector<TrainingState> train(const Recipe& recipe, std::vector<TrainingState> states, int steps,
                                 int threads, int steps_a_call) {
  const auto backend = make_cpu_backend(threads);
  backend->load(recipe, std::move(states));
  std::vector<StepRecord> records;
  for (int done = 0; done < steps; done += steps_a_call)
    backend->train(std::min(steps_a_call, steps - done), records);
  std::vector<TrainingState> result;
  for (int h = 0; h < backend->head_count(); ++h)
    result.push_back(backend->state(h));
  return result;
}

TEST(SpectralTraining, NeitherThreadsNorNeighboursNorCallsChangeABit) {
  const Recipe recipe = spectral_recipe();
  std::vector<TrainingState> fresh;
  for (const std::uint32_t seed : {1u, 2u, 3u})
    fresh.push_back(start_training({}, seed));
  const auto together = train(recipe, fresh, 40, 2, 40);
  for (const int threads : {1, 3}) {
    const auto alone = train(recipe, {fresh[1]}, 40, threads, 7);
    EXPECT_EQ(run_hash(recipe, alone[0]), run_hash(recipe, together[1])) << threads;
  }
  // Three heads on three threads take a thread each; five share out the tasks.
  EXPECT_EQ(run_hash(recipe, train(recipe, fresh, 40, 3, 11)[2]), run_hash(recipe, together[2]));
  EXPECT_EQ(run_hash(recipe, train(recipe, fresh, 40, 5, 40)[2]), run_hash(recipe, together[2]));
}

TEST(SpectralTraining, ResumingInTheMiddleChangesNothing) {
  const Recipe recipe = spectral_recipe();
  const auto whole = train(recipe, {start_training({}, 4)}, 300, 2, 300);
  const auto half = train(recipe, {start_training({}, 4)}, 100, 2, 100);
  EXPECT_GT(half[0].item_points, 0);
  const auto rest = train(recipe, half, 200, 2, 200);
  EXPECT_EQ(run_hash(recipe, rest[0]), run_hash(recipe, whole[0]));
}

// A run that was begun with fewer points repeats its bits: its limit is part of its state.
TEST(SpectralTraining, ARunKeepsItsLimitOfPoints) {
  const Recipe recipe = spectral_recipe();
  TrainingState now = start_training_from(sharpened(2), 4);
  TrainingState before = now;
  before.most_item_points = kMostItemPoints;
  const auto whole = train(recipe, {now}, 300, 2, 300);
  const auto half = train(recipe, {now}, 100, 2, 100);
  EXPECT_EQ(half[0].item_points, 40);
  EXPECT_EQ(half[0].most_item_points, kMostTrainingItemPoints);
  const auto rest = train(recipe, half, 200, 2, 200);
  EXPECT_EQ(run_hash(recipe, rest[0]), run_hash(recipe, whole[0]));
  const auto former = train(recipe, {before}, 20, 2, 20);
  EXPECT_EQ(former[0].item_points, 0);
  EXPECT_EQ(former[0].most_item_points, kMostItemPoints);
  const auto direct = train(direct_recipe(), {before}, 20, 2, 20);
  EXPECT_EQ(former[0].parameters, direct[0].parameters);
}

class SpectralTrainingIn : public testing::TestWithParam<Precision> {
 protected:
  static Recipe with_precision(Recipe recipe) {
    recipe.precision = GetParam();
    return recipe;
  }
};

TEST_P(SpectralTrainingIn, FollowsTheDirectPath) {
  const auto spectral =
      train(with_precision(spectral_recipe()), {start_training({}, 6)}, 30, 2, 30);
  const auto direct = train(with_precision(direct_recipe()), {start_training({}, 6)}, 30, 2, 30);
  EXPECT_GT(spectral[0].item_points, 0);
  EXPECT_EQ(direct[0].item_points, 0);
  double largest = 0;
  for (std::size_t i = 0; i < direct[0].parameters.values.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(direct[0].parameters.values[i]) -
                                         static_cast<double>(spectral[0].parameters.values[i])));
  }
  EXPECT_GT(largest, 0);
  // Adam turns rounding of the smallest gradients into steps of up to the rate of 1e-3; thirty
  // steps in another direction would give 0.03.
  EXPECT_LT(largest, 2e-3);
}

// Of Adam's first moment after one step, which is a tenth of the gradient, as a share of its size.
double difference(const TrainingState& a, const TrainingState& b, const TensorSlot& slot) {
  double error = 0;
  double size = 0;
  for (std::size_t i = slot.offset; i < slot.offset + slot.size(); ++i) {
    const double truth = static_cast<double>(b.first_moment.values[i]);
    error += std::pow(static_cast<double>(a.first_moment.values[i]) - truth, 2);
    size += truth * truth;
  }
  return std::sqrt(error / size);
}

// A batch of one set leaves a slice without sets, but no half of the nodes without a gradient; of a
// thousand sets, some have priorities that tie once they are rounded.
TEST_P(SpectralTrainingIn, ABatchHasTheWholeGradientOfTheDirectPath) {
  for (const int sets : {1, 2, 3, 1000}) {
    Recipe spectral = with_precision(spectral_recipe());
    Recipe direct = with_precision(direct_recipe());
    spectral.batch_sets = direct.batch_sets = sets;
    const auto a = train(spectral, {start_training({}, 6)}, 1, 1, 1);
    const auto b = train(direct, {start_training({}, 6)}, 1, 1, 1);
    for (const TensorSlot& slot : parameter_layout(HeadShape())) {
      if (!has_gradient(slot.name)) continue;
      EXPECT_LE(difference(a[0], b[0], slot), 1e-4) << sets << " " << slot.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, SpectralTrainingIn,
                         testing::Values(Precision::kFloat, Precision::kBf16Priorities,
                                         Precision::kFp16Priorities),
                         [](const auto& param_info) {
                           std::string name(precision_name(param_info.param));
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(SpectralTraining, RoundedPrioritiesAreOtherInputs) {
  Recipe recipe = spectral_recipe();
  const auto plain = train(recipe, {start_training({}, 6)}, 1, 1, 1);
  recipe.precision = Precision::kBf16Priorities;
  const auto rounded = train(recipe, {start_training({}, 6)}, 1, 1, 1);
  const TensorSlot kernel = parameter_layout(HeadShape())[0];
  EXPECT_GT(difference(rounded[0], plain[0], kernel), 1e-4);
}

TEST(SpectralTraining, RoundedProductsAreRefused) {
  for (const Precision precision : {Precision::kBf16, Precision::kFp16}) {
    Recipe recipe = spectral_recipe();
    recipe.precision = precision;
    EXPECT_THROW(train(recipe, {start_training({}, 6)}, 1, 1, 1), std::invalid_argument);
  }
}

TEST(SpectralTraining, AHeadThatDivergesStopsTheGroupAtItsStepWithLastGoodStates) {
  Recipe recipe = spectral_recipe();
  std::vector<TrainingState> states = {start_training({}, 1), start_training({}, 2)};
  // Finite, but its loss is not.
  for (float& w : states[1].parameters.tensor(TensorId::kReadout1Kernel))
    w = 3e38f;
  const auto backend = make_cpu_backend(2);
  backend->load(recipe, states);
  std::vector<StepRecord> records;
  const TrainOutcome outcome = backend->train(5, records);
  EXPECT_TRUE(outcome.non_finite);
  EXPECT_EQ(outcome.non_finite_head, 1);
  EXPECT_EQ(outcome.steps_done, 0);
  EXPECT_TRUE(records.empty());
  EXPECT_EQ(backend->state(0).parameters, states[0].parameters);
}

}  // namespace
}  // namespace dispersion
