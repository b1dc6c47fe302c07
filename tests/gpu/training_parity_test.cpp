#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "core/cpu/cpu_backend.h"
#include "core/head/backward.h"
#include "core/head/forward.h"
#include "core/head/optimiser.h"
#include "core/io/checkpoint.h"
#include "core/spectral/points.h"
#include "core/task/item_sets.h"
#include "faults.h"
#include "fibres.h"
#include "gpu/training/cuda_trainer.h"
#include "tests/training_checks.h"

namespace dispersion {
namespace {

// The training kernels against the CPU: each case is a group of heads.
struct Case {
  std::string name;
  HeadPath path = HeadPath::kSpectral;
  L2Form l2 = L2Form::kHalfKernels;
  int batch_sets = 128;
  int smallest_set = 5;
  int largest_set = 16;
  std::vector<std::uint32_t> seeds = {1};
  int steps = 2;
  float sharpness = 1;  // of the attention: what the query kernel is multiplied by
  // Points to start from instead of those that are chosen at step 0; then it is step 1.
  int item_points = 0;
  int query_points = 0;

  std::int64_t first_step() const { return item_points > 0 ? 1 : 0; }
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.name;
}

Recipe recipe_of(const Case& c) {
  Recipe recipe;
  recipe.path = c.path;
  recipe.l2 = c.l2;
  recipe.batch_sets = c.batch_sets;
  recipe.smallest_set = c.smallest_set;
  recipe.largest_set = c.largest_set;
  return recipe;
}

std::vector<TrainingState> heads_of(const Case& c) {
  std::vector<TrainingState> heads;
  for (const std::uint32_t seed : c.seeds) {
    heads.push_back(start_training({}, seed));
    for (float& w : heads.back().parameters.tensor(TensorId::kQueryKernel))
      w *= c.sharpness;
    heads.back().step = c.first_step();
    if (c.item_points > 0) {
      heads.back().item_points = c.item_points;
      heads.back().query_points = c.query_points;
    }
  }
  return heads;
}

const Case kCases[] = {
    {.name = "Spectral"},
    {.name = "Direct", .path = HeadPath::kDirect},
    {.name = "SpectralOddSizes",
     .batch_sets = 13,
     .smallest_set = 3,
     .largest_set = 7,
     .seeds = {7, 2, 9},
     .steps = 5},
    {.name = "DirectOddSizes",
     .path = HeadPath::kDirect,
     .batch_sets = 13,
     .smallest_set = 3,
     .largest_set = 7,
     .seeds = {7, 2},
     .steps = 5},
    // More sets than a product takes at a time.
    {.name = "ManySets", .batch_sets = 261, .smallest_set = 2, .largest_set = 4, .steps = 1},
    // Alone the sets go in small blocks, with two heads beside in large ones.
    {.name = "ManySetsDirect",
     .path = HeadPath::kDirect,
     .batch_sets = 175,
     .smallest_set = 2,
     .largest_set = 3,
     .steps = 1},
    {.name = "OneSet", .batch_sets = 1, .smallest_set = 1, .largest_set = 1, .steps = 3},
    {.name = "OneSetDirect",
     .path = HeadPath::kDirect,
     .batch_sets = 1,
     .smallest_set = 2,
     .largest_set = 2,
     .steps = 3},
    {.name = "MoreItemsThanAWarp", .batch_sets = 9, .smallest_set = 33, .largest_set = 50},
    {.name = "MoreItemsThanAWarpDirect",
     .path = HeadPath::kDirect,
     .batch_sets = 9,
     .smallest_set = 33,
     .largest_set = 50},
    // Attention of the items does not fit in a block's shared memory.
    {.name = "ManyItems", .batch_sets = 5, .smallest_set = 290, .largest_set = 300, .steps = 1},
    {.name = "ManyItemsDirect",
     .path = HeadPath::kDirect,
     .batch_sets = 2,
     .smallest_set = 300,
     .largest_set = 300,
     .steps = 1},
    {.name = "MostPoints",
     .batch_sets = 10,
     .seeds = {3, 4},
     .item_points = 32,
     .query_points = 16},
    {.name = "ManyPoints", .batch_sets = 10, .item_points = 28, .query_points = 12},
    // As many rows as there is memory for, and the last tile is not full.
    {.name = "FullMemory",
     .path = HeadPath::kDirect,
     .batch_sets = 47,
     .smallest_set = 7,
     .largest_set = 7,
     .seeds = {1, 2},
     .steps = 1},
    {.name = "Sharp", .batch_sets = 24, .sharpness = 40},
    {.name = "SharpDirect", .path = HeadPath::kDirect, .batch_sets = 24, .sharpness = 40},
    {.name = "HalfAll", .l2 = L2Form::kHalfAll, .batch_sets = 16},
    {.name = "Decoupled", .l2 = L2Form::kDecoupled, .batch_sets = 16},
};

class TrainingParity : public testing::TestWithParam<Case> {
 protected:
  void TearDown() override {
    emulation::set_order(emulation::Order::kForward);
    EXPECT_EQ(emulation::take_guard_report(), "");
  }
};

// Parameters in the mean (expect_near_state says why), and gradients one by one below.
TEST_P(TrainingParity, GoesTheSameWay) {
  const Case& c = GetParam();
  const Recipe recipe = recipe_of(c);
  const auto cpu = make_cpu_backend(1);
  cpu->load(recipe, heads_of(c));
  CudaTrainer cuda(recipe, heads_of(c));
  std::vector<StepRecord> expected;
  std::vector<StepRecord> records;
  cpu->train(c.steps, expected);
  EXPECT_EQ(cuda.train(c.steps, records).steps_done, c.steps);
  expect_near_records(records, expected);
  for (std::size_t h = 0; h < c.seeds.size(); ++h) {
    const int head = static_cast<int>(h);
    expect_near_state(cuda.state(head), cpu->state(head), c.steps);
  }
}

// Every gradient of the first step, from Adam's first moment (0.1 g), against double.
TEST_P(TrainingParity, HasTheGradientOfTheDirectNetworkInDouble) {
  const Case& c = GetParam();
  const Recipe recipe = recipe_of(c);
  CudaTrainer cuda(recipe, heads_of(c));
  std::vector<StepRecord> records;
  cuda.train(1, records);
  for (std::size_t h = 0; h < c.seeds.size(); ++h) {
    const Parameters<double> head = convert_parameters<double>(heads_of(c)[h].parameters);
    ItemSets batch;
    const auto step = static_cast<std::uint32_t>(c.first_step());
    batch.resize(c.batch_sets, draw_batch_size(c.seeds[h], step, c.smallest_set, c.largest_set));
    draw_item_sets(c.seeds[h], RandomPurpose::kTraining, step, 0, batch);
    Activations<double> activations;
    BackwardWorkspace<double> workspace;
    Parameters<double> gradient(head.shape);
    forward(head, batch.view(), AttentionTransform(), activations);
    backward(head, batch.view(), AttentionTransform(), BetaGradient::kStopped, 1.0 / c.batch_sets,
             activations, workspace, gradient);
    add_l2_gradient(recipe, head, gradient);
    const TrainingState state = cuda.state(static_cast<int>(h));
    for (const TensorSlot& slot : parameter_layout({})) {
      double largest = 0;
      double error = 0;
      for (std::size_t i = slot.offset; i < slot.offset + slot.size(); ++i) {
        const double value = 10 * static_cast<double>(state.first_moment.values[i]);
        largest = std::max(largest, std::abs(gradient.values[i]));
        error = std::max(error, std::abs(value - gradient.values[i]));
      }
      // No weight depends on the key bias: its gradient is what double makes of 0, 5e-18 at most.
      if (largest < 1e-15) {
        EXPECT_LT(error, 1e-15) << slot.name;
        continue;
      }
      // Float makes 1e-6 of sums over a batch, at most over all cases; five times that is allowed.
      EXPECT_LT(error / largest, 5e-6) << slot.name;
    }
  }
}

std::vector<float> trained(const Case& c, const std::vector<TrainingState>& heads, int head,
                           int steps, emulation::Order order = emulation::Order::kForward) {
  emulation::set_order(order);
  CudaTrainer trainer(recipe_of(c), heads);
  std::vector<StepRecord> records;
  trainer.train(steps, records);
  return trainer.state(head).parameters.values;
}

TEST_P(TrainingParity, BitsDependOnNothingBesideTheHead) {
  const Case& c = GetParam();
  const int steps = std::min(c.steps, 2);
  std::vector<TrainingState> group = heads_of(c);
  const std::vector<float> alone = trained(c, {group[0]}, 0, steps);
  group.insert(group.begin(), start_training({}, 77));
  group.push_back(start_training({}, 78));
  EXPECT_EQ(trained(c, group, 1, steps), alone);
  for (const emulation::Order order : {emulation::Order::kBackward, emulation::Order::kShuffled}) {
    EXPECT_EQ(trained(c, {group[1]}, 0, steps, order), alone);
  }
}

// The device goes on with the points it has while new ones are chosen. Where the choice is another,
// the steps count as if it had been known.
TEST(PointChoice, StepsWithOtherPointsAreRepeated) {
  Recipe recipe;
  recipe.batch_sets = 3;
  recipe.largest_set = 6;
  TrainingState told = start_training({}, 3);
  told.step = kStepsBetweenPointChoices;
  const SpectralPoints points = choose_points(told.parameters, Spare::kOneStep);
  TrainingState wrong = told;
  told.item_points = points.item;
  told.query_points = points.query;
  wrong.item_points = 24;
  wrong.query_points = 16;
  ASSERT_NE(wrong.item_points, points.item);
  TrainingState direct = told;
  direct.item_points = 0;
  direct.query_points = 0;
  std::vector<StepRecord> expected;
  CudaTrainer known(recipe, {told});
  known.train(2, expected);
  for (const TrainingState& start : {wrong, direct}) {
    std::vector<StepRecord> records;
    CudaTrainer trainer(recipe, {start});
    EXPECT_EQ(trainer.train(2, records).steps_done, 2);
    EXPECT_EQ(trainer.state(0).parameters, known.state(0).parameters);
    EXPECT_EQ(trainer.state(0).second_moment, known.state(0).second_moment);
    EXPECT_EQ(trainer.state(0).item_points, points.item);
    EXPECT_EQ(trainer.state(0).query_points, points.query);
    expect_same_records(records, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, TrainingParity, testing::ValuesIn(kCases),
                         [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace dispersion
