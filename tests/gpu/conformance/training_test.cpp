// Training by every path and form of L2, for one head and several, by pairwise cover, against the
// CPU, which is the definition.

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "tests/gpu/conformance/conformance.h"
#include "tests/overflowing_start.h"
#include "tests/pairwise.h"
#include "tests/training_checks.h"

namespace dispersion {
namespace {

struct Sizes {
  int batch_sets, smallest_set, largest_set;
};
// Tiles of 8 sets, warps of 32 items, and a single item.
constexpr Sizes kSizes[] = {{16, 5, 16}, {13, 3, 7}, {1, 1, 1}, {9, 33, 50}};
constexpr HeadPath kPaths[] = {HeadPath::kSpectral, HeadPath::kDirect};
constexpr L2Form kForms[] = {L2Form::kHalfKernels, L2Form::kHalfAll,   L2Form::kFullKernels,
                             L2Form::kFullAll,     L2Form::kDecoupled, L2Form::kNone};
constexpr int kHeads[] = {1, 3};

struct Case {
  Recipe recipe;
  int heads = 1;
  std::vector<int> calls;  // steps of each
};

std::vector<TrainingState> fresh_heads(int count) {
  std::vector<TrainingState> heads;
  for (int head = 0; head < count; ++head)
    heads.push_back(start_training({}, static_cast<std::uint32_t>(7 - 2 * head)));
  return heads;
}

Recipe small_recipe() {
  Recipe recipe;
  recipe.batch_sets = 4;
  return recipe;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    const std::vector<std::vector<int>> calls = {{3}, {1, 2}, {0, 2}};
    std::vector<Case> found;
    for (const std::vector<int>& row :
         pairwise({static_cast<int>(std::size(kPaths)), static_cast<int>(std::size(kForms)),
                   static_cast<int>(std::size(kHeads)), static_cast<int>(std::size(kSizes)), 3})) {
      Case c;
      c.recipe.path = kPaths[row[0]];
      c.recipe.l2 = kForms[row[1]];
      c.heads = kHeads[row[2]];
      c.recipe.batch_sets = kSizes[row[3]].batch_sets;
      c.recipe.smallest_set = kSizes[row[3]].smallest_set;
      c.recipe.largest_set = kSizes[row[3]].largest_set;
      c.calls = calls[static_cast<std::size_t>(row[4])];
      found.push_back(c);
    }
    return found;
  }();
  return all;
}

using CaseOn = std::tuple<Computes, std::size_t>;
class ConformanceTraining : public ConformanceCase<CaseOn> {};

TEST_P(ConformanceTraining, GoesTheWayOfTheDefinition) {
  const Case& c = cases()[std::get<1>(GetParam())];
  const auto backend = make_counted_backend(std::get<0>(GetParam()));
  const auto cpu = make_defining_backend();
  const std::vector<TrainingState> heads = fresh_heads(c.heads);
  backend->load(c.recipe, heads);
  cpu->load(c.recipe, heads);
  EXPECT_EQ(backend->head_count(), c.heads);
  EXPECT_EQ(backend->remark(), "");
  EXPECT_GE(backend->most_item_points(heads[0]), kMostItemPoints);
  std::vector<StepRecord> records;
  std::vector<StepRecord> expected;
  int all_steps = 0;
  for (const int steps : c.calls) {
    const TrainOutcome outcome = backend->train(steps, records);
    EXPECT_EQ(outcome.steps_done, steps);
    EXPECT_FALSE(outcome.non_finite);
    cpu->train(steps, expected);
    all_steps += steps;
  }
  expect_near_records(records, expected);
  for (int head = 0; head < c.heads; ++head) {
    const TrainingState state = backend->state(head);
    const TrainingState defined = cpu->state(head);
    expect_near_state(state, defined, all_steps);
    EXPECT_EQ(state.most_item_points, defined.most_item_points);
  }
}

std::string case_name(const testing::TestParamInfo<CaseOn>& on) {
  const auto [computes, index] = on.param;
  const Case& c = cases()[index];
  const std::string path = c.recipe.path == HeadPath::kSpectral ? "Spectral" : "Direct";
  return backend_kind(computes) + path + std::to_string(c.heads) + "HeadsOf" +
         std::to_string(c.recipe.batch_sets) + "x" + std::to_string(c.recipe.largest_set) + "Row" +
         std::to_string(index);
}

INSTANTIATE_TEST_SUITE_P(Conformance, ConformanceTraining,
                         testing::Combine(testing::ValuesIn(kEveryBackend),
                                          testing::Range<std::size_t>(0, cases().size())),
                         case_name);

class ConformanceGroup : public ConformanceTest {
 protected:
  TrainOutcome train(int steps) {
    records_.clear();
    return backend_->train(steps, records_);
  }

  std::unique_ptr<Backend> backend_ = make_counted_backend(GetParam());
  std::vector<StepRecord> records_;
};

TEST_P(ConformanceGroup, BitsDependNeitherOnTheOtherHeadsNorOnTheCalls) {
  for (const HeadPath path : kPaths) {
    Recipe recipe = small_recipe();
    recipe.path = path;
    backend_->load(recipe, fresh_heads(3));
    train(3);
    const TrainingState beside = backend_->state(1);
    backend_->load(recipe, {fresh_heads(3)[1]});
    std::vector<StepRecord> alone;
    for (const int steps : {2, 1}) {
      train(steps);
      alone.insert(alone.end(), records_.begin(), records_.end());
    }
    EXPECT_EQ(run_hash(recipe, backend_->state(0)), run_hash(recipe, beside));
    // What was read goes on as what was left.
    backend_->load(recipe, {fresh_heads(3)[1]});
    train(2);
    std::vector<StepRecord> resumed = records_;
    const TrainingState read = backend_->state(0);
    backend_->load(recipe, {read});
    train(1);
    resumed.insert(resumed.end(), records_.begin(), records_.end());
    expect_same_records(resumed, alone);
    EXPECT_EQ(run_hash(recipe, backend_->state(0)), run_hash(recipe, beside));
  }
}

TEST_P(ConformanceGroup, ThereMayBeNoHeadsYet) {
  EXPECT_EQ(backend_->head_count(), 0);
  EXPECT_THROW(backend_->state(0), std::invalid_argument);
}

// What was loaded before stays.
TEST_P(ConformanceGroup, RefusesWhatCannotBeTrainedTogether) {
  const std::vector<TrainingState> heads = fresh_heads(2);
  backend_->load(small_recipe(), heads);
  Recipe wrong = small_recipe();
  wrong.batch_sets = 0;
  EXPECT_THROW(backend_->load(wrong, heads), std::invalid_argument);
  wrong.batch_sets = kMostBatchSets;
  wrong.largest_set = kMostBatchItems / kMostBatchSets + 1;
  EXPECT_THROW(backend_->load(wrong, heads), std::invalid_argument);
  EXPECT_THROW(backend_->load(small_recipe(), {}), std::invalid_argument);
  const TrainingState narrow = start_training({.width = 16, .classes = 10}, 1);
  EXPECT_THROW(backend_->load(small_recipe(), {heads[0], narrow}), std::invalid_argument);
  EXPECT_THROW(backend_->load(small_recipe(), {narrow, heads[0]}), std::invalid_argument);
  EXPECT_EQ(backend_->head_count(), 2);
  for (const int head : {-1, 2})
    EXPECT_THROW(backend_->state(head), std::invalid_argument);
  EXPECT_EQ(train(1).steps_done, 1);
}

// Where another computes it says so in its remark, and it is bit for bit the CPU.
TEST_P(ConformanceGroup, OtherRecipesAndHeadsAreTrainedAsOnTheCpu) {
  const auto cpu = make_defining_backend();
  Recipe rounding = small_recipe();
  rounding.precision = Precision::kBf16;
  rounding.path = HeadPath::kDirect;
  Recipe rounded_priorities = small_recipe();
  rounded_priorities.precision = Precision::kFp16Priorities;
  const TrainingState usual = start_training({}, 3);
  const TrainingState narrow = start_training({.width = 16, .classes = 10}, 3);
  struct Odd {
    Recipe recipe;
    TrainingState head;
  };
  for (const Odd& odd :
       {Odd{rounding, usual}, Odd{rounded_priorities, usual}, Odd{small_recipe(), narrow}}) {
    std::vector<StepRecord> expected;
    cpu->load(odd.recipe, {odd.head});
    cpu->train(2, expected);
    backend_->load(odd.recipe, {odd.head});
    EXPECT_EQ(train(2).steps_done, 2);
    EXPECT_EQ(backend_->remark() != "", GetParam() == Computes::kOnDevice);
    EXPECT_EQ(backend_->head_count(), 1);
    EXPECT_EQ(backend_->most_item_points(odd.head), cpu->most_item_points(odd.head));
    expect_same_records(records_, expected);
    EXPECT_EQ(run_hash(odd.recipe, backend_->state(0)), run_hash(odd.recipe, cpu->state(0)));
  }
  backend_->load(small_recipe(), {usual});
  EXPECT_EQ(backend_->remark(), "");
  EXPECT_EQ(train(1).steps_done, 1);
}

TEST_P(ConformanceGroup, StopsBeforeAStepThatIsNotFinite) {
  for (const HeadPath path : kPaths) {
    Recipe recipe = small_recipe();
    recipe.path = path;
    std::vector<TrainingState> heads = fresh_heads(3);
    for (std::size_t head : {1U, 2U})
      heads[head].parameters.tensor(TensorId::kValueKernel)[5] = INFINITY;
    backend_->load(recipe, heads);
    const TrainOutcome outcome = train(3);
    EXPECT_TRUE(outcome.non_finite);
    EXPECT_EQ(outcome.steps_done, 0);
    EXPECT_EQ(outcome.non_finite_step, 1);
    EXPECT_EQ(outcome.non_finite_head, 1);
    EXPECT_TRUE(records_.empty());
    EXPECT_EQ(backend_->state(0).parameters, heads[0].parameters);
    EXPECT_EQ(backend_->state(0).step, 0);
  }
}

// An update can overflow after a finite loss and gradient.
TEST_P(ConformanceGroup, StopsBeforeAStepAfterWhichTheStateCouldNotBeSaved) {
  const Recipe recipe = overflowing_recipe(small_recipe());
  const TrainingState start = overflowing_start();
  TrainingState other = start_training({}, 2);
  other.step = start.step;
  backend_->load(recipe, {other, start});
  EXPECT_FALSE(train(2).non_finite);
  const std::string hash = run_hash(recipe, backend_->state(0));
  const std::vector<StepRecord> first = records_;
  for (const int steps : {1, 50}) {
    backend_->load(recipe, {other, start});
    std::vector<StepRecord> records;
    TrainOutcome outcome;
    int done = 0;
    for (int call = 0; call < 5 && !outcome.non_finite; ++call) {
      outcome = backend_->train(steps, records);
      done += outcome.steps_done;
    }
    EXPECT_TRUE(outcome.non_finite);
    EXPECT_EQ(outcome.non_finite_head, 1);
    EXPECT_EQ(outcome.non_finite_step, kOverflowingStep);
    EXPECT_EQ(done, 2);
    expect_same_records(records, first);
    EXPECT_EQ(run_hash(recipe, backend_->state(0)), hash);
    EXPECT_TRUE(is_finite(backend_->state(1)));
    // Once more, the same step is found.
    EXPECT_EQ(train(1).non_finite_step, kOverflowingStep);
  }
}

INSTANTIATE_TEST_SUITE_P(Conformance, ConformanceGroup, testing::ValuesIn(kEveryBackend),
                         [](const auto& on) { return backend_kind(on.param); });

}  // namespace
}  // namespace dispersion
