#include "core/cpu/cpu_backend.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "core/cpu/thread_pool.h"
#include "core/experiment/size_table.h"
#include "core/head/backward.h"
#include "core/head/forward.h"
#include "core/head/optimiser.h"
#include "tests/overflowing_start.h"
#include "tests/training_checks.h"

namespace dispersion {
namespace {

const AttentionTransform kPlain{};
const AttentionTransform kAdaptive{TransformId::kAdaptive, 1, {}};

Recipe small_recipe() {
  Recipe recipe;
  recipe.batch_sets = 20;
  return recipe;
}

std::vector<std::string> hashes_after(int threads, const std::vector<std::uint32_t>& seeds,
                                      int steps, const Recipe& recipe) {
  // Moves later allocations about, so that nothing can hang on where memory happens to lie.
  const std::vector<char> shift(static_cast<std::size_t>(16 * (7 * threads + steps) + 400'000));
  const auto backend = make_cpu_backend(threads);
  std::vector<TrainingState> heads;
  for (const std::uint32_t seed : seeds)
    heads.push_back(start_training({}, seed));
  backend->load(recipe, std::move(heads));
  std::vector<StepRecord> records;
  backend->train(steps, records);
  EXPECT_EQ(records.size(), seeds.size() * static_cast<std::size_t>(steps));
  std::vector<std::string> hashes;
  for (int h = 0; h < backend->head_count(); ++h) {
    hashes.push_back(run_hash(recipe, backend->state(h)));
  }
  return hashes;
}

TEST(CpuBackend, TrainsTheSameBitsForAnyNumberOfThreads) {
  for (const auto& [batch, path] : {std::pair{1, HeadPath::kDirect},
                                    {3, HeadPath::kDirect},
                                    {20, HeadPath::kDirect},
                                    {128, HeadPath::kDirect},
                                    {1, HeadPath::kSpectral},
                                    {3, HeadPath::kSpectral},
                                    {128, HeadPath::kSpectral}}) {
    Recipe recipe;
    recipe.batch_sets = batch;
    recipe.path = path;
    const auto one = hashes_after(1, {1, 2}, 6, recipe);
    EXPECT_EQ(one, hashes_after(2, {1, 2}, 6, recipe)) << batch;
    EXPECT_EQ(one, hashes_after(3, {1, 2}, 6, recipe)) << batch;
    EXPECT_EQ(one, hashes_after(1, {1, 2}, 6, recipe)) << batch;
    EXPECT_NE(one[0], one[1]);
  }
}

// Slices, pieces and the fused update against the plain way in double: the whole batch forward and
// backward, the L2 gradient, Adam.
TEST(CpuBackend, AStepAgreesWithThePlainWayInDouble) {
  for (const L2Form form : {L2Form::kHalfKernels, L2Form::kFullAll, L2Form::kDecoupled}) {
    Recipe recipe;
    recipe.l2 = form;
    recipe.l2_lambda = 0.01;
    recipe.path = HeadPath::kDirect;
    const auto backend = make_cpu_backend(2);
    backend->load(recipe, {start_training({}, 3)});
    std::vector<StepRecord> records;
    backend->train(3, records);

    Parameters<double> head = convert_parameters<double>(initial_parameters({}, 3));
    Parameters<double> first(head.shape);
    Parameters<double> second(head.shape);
    Parameters<double> gradient(head.shape);
    Activations<double> activations;
    BackwardWorkspace<double> workspace;
    ItemSets sets;
    for (std::uint32_t step = 0; step < 3; ++step) {
      sets.resize(recipe.batch_sets,
                  draw_batch_size(3, step, recipe.smallest_set, recipe.largest_set));
      draw_item_sets(3, RandomPurpose::kTraining, step, 0, sets);
      forward(head, sets.view(), kPlain, activations);
      const BatchLoss loss = backward(head, sets.view(), kPlain, BetaGradient::kStopped,
                                      1.0 / recipe.batch_sets, activations, workspace, gradient);
      EXPECT_NEAR(records[step].cross_entropy, loss.cross_entropy / recipe.batch_sets, 2e-6);
      EXPECT_NEAR(records[step].l2, l2_loss(recipe, head), 2e-6);
      EXPECT_NEAR(records[step].accuracy * 128, loss.correct, 1e-3);
      add_l2_gradient(recipe, head, gradient);
      const AdamStep<double> adam(recipe, step + 1);
      for (const TensorSlot& slot : parameter_layout(head.shape)) {
        adam.apply(head.values.data() + slot.offset, first.values.data() + slot.offset,
                   second.values.data() + slot.offset, gradient.values.data() + slot.offset,
                   slot.size(), l2_terms(recipe, slot.is_kernel).decay);
      }
    }
    const Parameters<float> got = backend->state(0).parameters;
    for (const TensorSlot& slot : parameter_layout(head.shape)) {
      // The gradient of the key bias is rounding noise, which Adam divides by its own size.
      if (slot.name == "attention.key.bias") continue;
      for (std::size_t i = slot.offset; i < slot.offset + slot.size(); ++i) {
        // As for the golden data's five steps: every one within 1e-4.
        ASSERT_NEAR(got.values[i], head.values[i], 1e-4) << slot.name;
      }
    }
  }
}

TEST(CpuBackend, AHeadDoesNotNoticeTheHeadsBesideIt) {
  const auto group = hashes_after(2, {4, 5, 6}, 5, small_recipe());
  EXPECT_EQ(group[1], hashes_after(2, {5}, 5, small_recipe())[0]);
}

TEST(CpuBackend, StepsInPiecesEqualStepsAtOnce) {
  const auto backend = make_cpu_backend(2);
  backend->load(small_recipe(), {start_training({}, 9)});
  std::vector<StepRecord> records;
  for (int i = 0; i < 4; ++i)
    backend->train(2, records);
  EXPECT_EQ(run_hash(small_recipe(), backend->state(0)),
            hashes_after(2, {9}, 8, small_recipe())[0]);
  // Going on from a copied state is the same run too.
  backend->load(small_recipe(), {backend->state(0)});
  backend->train(3, records);
  EXPECT_EQ(run_hash(small_recipe(), backend->state(0)),
            hashes_after(2, {9}, 11, small_recipe())[0]);
  for (std::size_t i = 0; i < records.size(); ++i) {
    EXPECT_EQ(records[i].step, static_cast<std::int64_t>(i + 1));
  }
}

TEST(CpuBackend, LearnsTheTask) {
  const auto backend = make_cpu_backend();
  backend->load({}, {start_training({}, 1)});
  std::vector<StepRecord> records;
  backend->train(600, records);
  EXPECT_GT(records.front().cross_entropy, 2.2f);  // log 10 = 2.30
  float late = 0;
  for (int i = 500; i < 600; ++i)
    late += records[i].accuracy / 100;
  EXPECT_GT(late, 0.5f);  // chance is 0.1
}

TEST(CpuBackend, StopsBeforeANonFiniteUpdateAndKeepsTheLastGoodState) {
  Recipe recipe = small_recipe();
  recipe.learning_rate = 1e6;
  const auto backend = make_cpu_backend(2);
  backend->load(recipe, {start_training({}, 1), start_training({}, 2)});
  std::vector<StepRecord> records;
  const TrainOutcome outcome = backend->train(50, records);
  ASSERT_TRUE(outcome.non_finite);
  EXPECT_EQ(outcome.non_finite_step, outcome.steps_done + 1);
  EXPECT_EQ(records.size(), 2u * outcome.steps_done);
  for (int h = 0; h < 2; ++h) {
    const TrainingState state = backend->state(h);
    EXPECT_EQ(state.step, outcome.steps_done);
    for (const float w : state.parameters.values)
      ASSERT_TRUE(std::isfinite(w));
  }
  const TrainOutcome again = backend->train(1, records);
  EXPECT_TRUE(again.non_finite);
  EXPECT_EQ(again.steps_done, 0);
}

TEST(CpuBackend, StopsBeforeAStepAfterWhichTheStateCouldNotBeSaved) {
  const Recipe recipe = overflowing_recipe(small_recipe());
  const TrainingState start = overflowing_start();
  for (const int threads : {1, 2}) {
    SCOPED_TRACE(threads);
    const auto backend = make_cpu_backend(threads);
    std::vector<StepRecord> first;
    backend->load(recipe, {start});
    EXPECT_FALSE(backend->train(2, first).non_finite);
    const std::string hash = run_hash(recipe, backend->state(0));
    backend->load(recipe, {start});
    std::vector<StepRecord> records;
    const TrainOutcome outcome = backend->train(50, records);
    EXPECT_TRUE(outcome.non_finite);
    EXPECT_EQ(outcome.non_finite_head, 0);
    EXPECT_EQ(outcome.non_finite_step, kOverflowingStep);
    EXPECT_EQ(outcome.steps_done, 2);
    expect_same_records(records, first);
    EXPECT_EQ(run_hash(recipe, backend->state(0)), hash);
    EXPECT_TRUE(is_finite(backend->state(0)));
  }
}

TEST(CpuBackend, RefusesWhatCannotBeTrained) {
  const auto backend = make_cpu_backend(1);
  EXPECT_THROW(backend->load({}, {}), std::invalid_argument);
  Recipe recipe;
  recipe.smallest_set = 0;
  EXPECT_THROW(backend->load(recipe, {start_training({}, 1)}), std::invalid_argument);
  EXPECT_THROW(backend->state(0), std::invalid_argument);
  EXPECT_THROW(make_cpu_backend(-1), std::invalid_argument);
}

// Evaluation against the plain forward pass, in double, at sizes that take each of its ways: many
// sets a group, one set a group, and several chunks.
TEST(CpuBackend, EvaluationAgreesWithTheForwardPass) {
  const Parameters<float> head = initial_parameters({}, 3);
  Parameters<float> sharp = head;
  for (float& w : sharp.tensor(TensorId::kQueryKernel))
    w *= 8;
  const Parameters<double> truth = convert_parameters<double>(sharp);
  const auto backend = make_cpu_backend(2);
  for (const auto& [items, count] : {std::pair{1, 3}, {16, 130}, {700, 5}, {2500, 2}}) {
    ItemSets sets;
    sets.resize(count, items);
    draw_item_sets(5, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(items), 0, sets);
    std::vector<float> logits;
    const AttentionTransform transforms[] = {kPlain, kAdaptive};
    const SetEvaluation got = backend->evaluate_with_logits(sharp, sets.view(), transforms, logits);
    for (int m = 0; m < 2; ++m) {
      Activations<double> expected;
      forward(truth, sets.view(), transforms[m], expected);
      for (int s = 0; s < count; ++s) {
        const double* row = expected.attention_logits.data() + s * items;
        EXPECT_NEAR(got.logit_max[s], *std::max_element(row, row + items), 2e-5);
        EXPECT_NEAR(got.logit_min[s], *std::min_element(row, row + items), 2e-5);
        EXPECT_NEAR(logits[static_cast<std::size_t>(s) * items], row[0], 2e-5);
        EXPECT_NEAR(got.transforms[m].entropy[s], expected.transform_results[s].entropy, 5e-5);
        EXPECT_NEAR(got.transforms[m].beta[s], expected.transform_results[s].beta, 1e-4);
        EXPECT_NEAR(got.transforms[m].weight_on_max[s],
                    expected.attention.data()[s * items + got.argmax_priority[s]], 5e-5);
        for (int c = 0; c < 10; ++c) {
          EXPECT_NEAR(got.transforms[m].class_logits[s * 10 + c],
                      expected.class_logits.data()[s * 10 + c], 1e-5);
        }
      }
    }
  }
}

TEST(CpuBackend, EvaluationIsTheSameForAnyNumberOfThreads) {
  const Parameters<float> head = initial_parameters({}, 3);
  ItemSets sets;
  sets.resize(200, 37);
  draw_item_sets(5, RandomPurpose::kEvaluation, 37, 0, sets);
  const AttentionTransform transforms[] = {kPlain, kAdaptive};
  const auto evaluate = [&](int threads) {
    return make_cpu_backend(threads)->evaluate(head, sets.view(), transforms);
  };
  const SetEvaluation one = evaluate(1);
  for (const int threads : {2, 3}) {
    const SetEvaluation other = evaluate(threads);
    EXPECT_EQ(one.logit_max, other.logit_max);
    for (int m = 0; m < 2; ++m) {
      EXPECT_EQ(one.transforms[m].class_logits, other.transforms[m].class_logits);
      EXPECT_EQ(one.transforms[m].entropy, other.transforms[m].entropy);
    }
  }
}

// More items than are kept between the passes: the second pass embeds again and must agree.
TEST(CpuBackend, VeryLongSetsTakeTheSecondPass) {
  const Parameters<float> head = initial_parameters({}, 3);
  ItemSets sets;
  sets.resize(1, 40'000);
  draw_item_sets(5, RandomPurpose::kEvaluation, 1, 0, sets);
  const auto backend = make_cpu_backend(1);
  const AttentionTransform transforms[] = {kPlain};
  const SetEvaluation got = backend->evaluate(head, sets.view(), transforms);
  Activations<float> expected;
  forward(head, sets.view(), kPlain, expected);
  for (int c = 0; c < 10; ++c) {
    EXPECT_NEAR(got.transforms[0].class_logits[c], expected.class_logits.data()[c], 1e-5);
  }
}

// The order of the items must not matter, except for rounding.
TEST(CpuBackend, APermutationOfTheItemsChangesNothing) {
  const Parameters<float> head = initial_parameters({}, 3);
  ItemSets sets;
  sets.resize(1, 50);
  draw_item_sets(5, RandomPurpose::kEvaluation, 50, 0, sets);
  ItemSets reversed = sets;
  std::reverse(reversed.priority.begin(), reversed.priority.end());
  std::reverse(reversed.item_class.begin(), reversed.item_class.end());
  const auto backend = make_cpu_backend(1);
  const AttentionTransform transforms[] = {kAdaptive};
  const SetEvaluation a = backend->evaluate(head, sets.view(), transforms);
  const SetEvaluation b = backend->evaluate(head, reversed.view(), transforms);
  EXPECT_NEAR(a.transforms[0].entropy[0], b.transforms[0].entropy[0], 1e-5);
  for (int c = 0; c < 10; ++c) {
    EXPECT_NEAR(a.transforms[0].class_logits[c], b.transforms[0].class_logits[c], 1e-6);
  }
}

TEST(ThreadPool, DoesEveryTaskOnceAndPassesOnAnException) {
  ThreadPool thread_pool(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<int> done(37, 0);
    thread_pool.run(37, [&](int index, int) { ++done[static_cast<std::size_t>(index)]; });
    EXPECT_EQ(done, std::vector<int>(37, 1));
  }
  EXPECT_THROW(thread_pool.run(5,
                               [](int index, int) {
                                 if (index == 3) throw std::runtime_error("three");
                               }),
               std::runtime_error);
  int after = 0;
  thread_pool.run(1, [&](int, int) { ++after; });
  EXPECT_EQ(after, 1);
}

}  // namespace
}  // namespace dispersion
