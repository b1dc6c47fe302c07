// What a step's launches take follows the heads and the device: it must not change the results.

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "core/head/training_state.h"
#include "core/spectral/points.h"
#include "faults.h"
#include "gpu/training/cuda_trainer.h"

namespace dispersion {
namespace {

// Its item network is too steep for interpolation points.
TrainingState too_steep_for_points() {
  TrainingState state = start_training({}, 3);
  for (float& weight : state.parameters.tensor(TensorId::kItem0Kernel))
    weight *= 100;
  return state;
}

TEST(TrainingGrids, GrowWhenAHeadLeavesTheSpectralPath) {
  Recipe recipe;
  recipe.batch_sets = 47;
  recipe.smallest_set = 7;
  recipe.largest_set = 7;
  ASSERT_GT(recipe.batch_sets * recipe.largest_set, kMostNodes);
  TrainingState direct = too_steep_for_points();
  direct.step = kStepsBetweenPointChoices;
  ASSERT_FALSE(choose_points(direct.parameters, Spare::kOneStep).spectral());
  TrainingState spectral = direct;
  spectral.item_points = 24;
  spectral.query_points = 16;
  std::vector<StepRecord> records;
  CudaTrainer known(recipe, {direct});
  known.train(1, records);
  CudaTrainer trainer(recipe, {spectral});
  EXPECT_EQ(trainer.train(1, records).steps_done, 1);
  EXPECT_EQ(trainer.state(0).item_points, 0);
  EXPECT_EQ(trainer.state(0).parameters, known.state(0).parameters);
  EXPECT_EQ(trainer.state(0).second_moment, known.state(0).second_moment);
}

TEST(TrainingGrids, AGroupMayMixThePaths) {
  Recipe recipe;
  recipe.batch_sets = 5;
  const std::vector<TrainingState> heads = {start_training({}, 3), too_steep_for_points()};
  std::vector<StepRecord> records;
  CudaTrainer group(recipe, heads);
  EXPECT_EQ(group.train(2, records).steps_done, 2);
  EXPECT_GT(group.state(0).item_points, 0);
  EXPECT_EQ(group.state(1).item_points, 0);
  for (std::size_t h = 0; h < heads.size(); ++h) {
    CudaTrainer alone(recipe, {heads[h]});
    EXPECT_EQ(alone.train(2, records).steps_done, 2);
    EXPECT_EQ(alone.state(0).parameters, group.state(static_cast<int>(h)).parameters);
  }
}

// Blocks of the sets copy H where there is room, and keep the items' attention beside it.
TEST(TrainingGrids, BitsAreTheSameWithLittleSharedMemory) {
  Recipe recipe;
  // The last are so many that a block takes more of them.
  for (const auto& [sets, items] : {std::pair{5, 6}, {5, 300}, {517, 2}}) {
    recipe.batch_sets = sets;
    recipe.smallest_set = items;
    recipe.largest_set = items;
    std::vector<Parameters<float>> parameters;
    for (const std::size_t shared_bytes : {227 * 1024, 64 * 1024}) {
      emulation::reset_machine();
      emulation::machine().shared_bytes = shared_bytes;
      std::vector<StepRecord> records;
      CudaTrainer trainer(recipe, {start_training({}, 3)});
      EXPECT_EQ(trainer.train(2, records).steps_done, 2);
      EXPECT_GT(trainer.state(0).item_points, 0);
      parameters.push_back(trainer.state(0).parameters);
    }
    EXPECT_EQ(parameters[0], parameters[1]);
  }
  emulation::reset_machine();
}

}  // namespace
}  // namespace dispersion
