// Evaluation on devices of different size, beside other work, and from call to call.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/attention/transforms.h"
#include "core/cpu/cpu_backend.h"
#include "core/spectral/spectral_tables.h"
#include "faults.h"
#include "fibres.h"
#include "gpu/evaluation/cuda_evaluator.h"
#include "gpu/kernels/evaluation_kernels.h"
#include "gpu/runtime/most_blocks.h"
#include "tests/shipped_head.h"

namespace dispersion {
namespace {

const AttentionTransform kTransforms[] = {
    {TransformId::kSoftmax, 1, {}}, {TransformId::kAdaptive, 0.7, {}}, {TransformId::kHard, 1, {}}};

// Twice as steep over the priority: its cubics need twice as many cells.
Parameters<float> steep_head() {
  Parameters<float> head = shipped_head();
  for (float& slope : head.tensor(TensorId::kItem0Kernel).first(kWidth))
    slope *= 2;
  return head;
}

int cells(const Parameters<float>& head) {
  return make_spectral_tables(head, choose_points(head, Spare::kNone)).cells.cells;
}

class EvaluationDevice : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(emulation::take_guard_report(), "");
    emulation::reset_machine();
  }

  SetEvaluation evaluate(const Parameters<float>& head, const DrawnSets& drawn,
                         HeadPath path = HeadPath::kSpectral,
                         DeviceUse use = DeviceUse::kForeground) {
    CudaEvaluator evaluator(use);
    std::vector<std::int32_t> labels;
    return evaluator.evaluate_drawn(head, drawn, kTransforms, path, labels);
  }
};

void expect_same(const SetEvaluation& a, const SetEvaluation& b) {
  EXPECT_EQ(a.logit_max, b.logit_max);
  EXPECT_EQ(a.logit_min, b.logit_min);
  EXPECT_EQ(a.argmax_logit, b.argmax_logit);
  EXPECT_EQ(a.argmax_priority, b.argmax_priority);
  ASSERT_EQ(a.transforms.size(), b.transforms.size());
  for (std::size_t m = 0; m < a.transforms.size(); ++m) {
    EXPECT_EQ(a.transforms[m].entropy, b.transforms[m].entropy);
    EXPECT_EQ(a.transforms[m].beta, b.transforms[m].beta);
    EXPECT_EQ(a.transforms[m].weight_on_max, b.transforms[m].weight_on_max);
    EXPECT_EQ(a.transforms[m].class_logits, b.transforms[m].class_logits);
  }
}

// Devices of 7.5 have 64 KB of shared memory, of 8.6, 8.9 and 12.0 99, of 8.0 163, and of 9.0 227.
TEST_F(EvaluationDevice, GivesTheSameWhateverSharedMemoryThereIs) {
  ASSERT_EQ(cells(shipped_head()), 64);
  ASSERT_EQ(cells(steep_head()), 128);
  for (const Parameters<float>& head : {shipped_head(), steep_head()}) {
    const DrawnSets drawn{.seed = 3, .items = 700, .first_set = 1, .sets = 2};
    const SetEvaluation whole = evaluate(head, drawn);
    for (const std::size_t kilobytes : {64, 99, 163}) {
      emulation::machine().shared_bytes = kilobytes << 10;
      expect_same(evaluate(head, drawn), whole);
    }
    emulation::reset_machine();
  }
  EXPECT_LE(spectral_shared_bytes(128), 64U << 10);
  EXPECT_GT(spectral_shared_bytes(256), 64U << 10);
  EXPECT_LE(spectral_shared_bytes(256), 99U << 10);
}

TEST_F(EvaluationDevice, TakesTheDirectPathWhereTablesDoNotFit) {
  const DrawnSets drawn{.seed = 3, .items = 40, .first_set = 1, .sets = 2};
  const SetEvaluation direct = evaluate(steep_head(), drawn, HeadPath::kDirect);
  EXPECT_NE(evaluate(steep_head(), drawn).logit_max, direct.logit_max);
  emulation::machine().shared_bytes = spectral_shared_bytes(128) - 1;
  expect_same(evaluate(steep_head(), drawn), direct);
}

// Where the tables have the most cells and nodes, and on the direct path.
TEST_F(EvaluationDevice, SetsAtOnceTakeLessThanTheyAreSaidTo) {
  EvaluationHead spectral{};
  spectral.items.count = kMostItemNodesPerClass;
  spectral.cells = 256;
  for (const EvaluationHead& head : {spectral, EvaluationHead{}}) {
    for (const int items :
         {1, kDirectChunkItems, kChunkItems, kMostItems / kMostSets, kMostItems}) {
      const double sets = EvaluationBuffers::sets_at_once(items);
      const double of_set =
          static_cast<double>(EvaluationBuffers::bytes_of_set(head, items, kMostTransforms));
      EXPECT_LT(sets * of_set, 1.5e9) << items;
    }
  }
}

// Half of the multiprocessors stay free, and as many blocks as are left do what all would.
TEST_F(EvaluationDevice, InTheBackgroundFewBlocksDoTheSame) {
  for (const int multiprocessors : {1, 132, 6}) {
    emulation::machine().multiprocessors = multiprocessors;
    EXPECT_EQ(most_blocks(DeviceUse::kForeground, 0.5), kAnyBlocks);
    EXPECT_EQ(most_blocks(DeviceUse::kBackground, 0.5), std::max(1, multiprocessors / 2));
    EXPECT_EQ(most_blocks(DeviceUse::kBackground, 0.75), std::max(1, multiprocessors * 3 / 4));
  }
  const DrawnSets drawn{.seed = 3, .items = kChunkItems + 1, .first_set = 1, .sets = 3};
  expect_same(evaluate(shipped_head(), drawn, HeadPath::kSpectral, DeviceUse::kBackground),
              evaluate(shipped_head(), drawn));
  const DrawnSets few{.seed = 3, .items = kDirectChunkItems + 1, .first_set = 1, .sets = 5};
  expect_same(evaluate(shipped_head(), few, HeadPath::kDirect, DeviceUse::kBackground),
              evaluate(shipped_head(), few, HeadPath::kDirect));
}

// Not with another head either, as a head that trains is another in every frame.
TEST_F(EvaluationDevice, AllocatesNothingTheSecondTime) {
  CudaEvaluator evaluator;
  ItemSets sets;
  draw_evaluation_sets({.seed = 3, .items = 30, .sets = 2}, 0, 2, sets);
  std::vector<float> logits;
  const SetEvaluation steep = evaluator.evaluate(steep_head(), sets.view(), kTransforms, nullptr);
  const SetEvaluation first = evaluator.evaluate(shipped_head(), sets.view(), kTransforms, &logits);
  const std::size_t held = emulation::bytes_held();
  emulation::machine().allocations_to_failure = 0;
  const std::vector<float> before = logits;
  expect_same(evaluator.evaluate(shipped_head(), sets.view(), kTransforms, &logits), first);
  EXPECT_EQ(logits, before);
  evaluator.attention_logits(shipped_head(), sets.view(), logits);
  EXPECT_EQ(logits, before);
  expect_same(evaluator.evaluate(steep_head(), sets.view(), kTransforms, nullptr), steep);
  EXPECT_EQ(emulation::bytes_held(), held);
  evaluator.release_memory();
  EXPECT_LT(emulation::bytes_held(), held);
}

// All of a chunk's items in one cell, with the largest weights there are, and with weights whose
// upper half is 0, against one item of another kind in the chunk after it.
TEST_F(EvaluationDevice, AllItemsOfAChunkInOneCell) {
  constexpr int kOther = kChunkItems + 100;
  ItemSets sets;
  sets.resize(1, 2 * kChunkItems);
  std::ranges::fill(sets.priority, 0.3071f);
  std::ranges::fill(sets.item_class, std::uint8_t{3});
  sets.query[0] = 0.5f;
  sets.priority[kOther] = 0.97f;
  sets.item_class[kOther] = 6;
  const auto cpu = make_cpu_backend(1);
  std::vector<float> logits;
  cpu->attention_logits(shipped_head(), sets.view(), logits);
  const double drop = static_cast<double>(logits[kOther] - logits[0]);
  ASSERT_GT(drop, 1);
  // 8,191 weights of 2^-21 beside one of 1.
  const AttentionTransform transforms[] = {{TransformId::kSoftmax, 1e10, {}},
                                           {TransformId::kSoftmax, drop / (21 * std::log(2)), {}}};
  CudaEvaluator evaluator;
  const SetEvaluation found = evaluator.evaluate(shipped_head(), sets.view(), transforms, nullptr);
  const SetEvaluation expected = cpu->evaluate(shipped_head(), sets.view(), transforms);
  EXPECT_EQ(found.argmax_logit[0], kOther);
  for (std::size_t m = 0; m < 2; ++m) {
    const auto& want = expected.transforms[m].class_logits;
    // The many are 0.4% of all weight, and without them a class logit would be about as far off:
    // 1e-4 is a fortieth of that.
    const float size = std::abs(*std::ranges::max_element(
        want, [](float a, float b) { return std::abs(a) < std::abs(b); }));
    for (std::size_t k = 0; k < want.size(); ++k)
      EXPECT_NEAR(found.transforms[m].class_logits[k], want[k], 1e-4 * size) << m;
  }
}

// Thetas whose inverse float does not hold: all weight on the largest logit, or the same on each.
TEST_F(EvaluationDevice, TakesEveryTheta) {
  constexpr int kItems = 300;
  const DrawnSets drawn{.seed = 3, .items = kItems, .first_set = 1, .sets = 1};
  CudaEvaluator evaluator;
  std::vector<std::int32_t> labels;
  for (const HeadPath path : {HeadPath::kSpectral, HeadPath::kDirect}) {
    for (const double theta : {1e-300, 1e-37, 1e300}) {
      SCOPED_TRACE(theta);
      const AttentionTransform transforms[] = {{TransformId::kHard, theta, {}},
                                               {TransformId::kSoftmax, theta, {}},
                                               {TransformId::kAdaptive, theta, {}}};
      const SetEvaluation found =
          evaluator.evaluate_drawn(shipped_head(), drawn, transforms, path, labels);
      const TransformEvaluation& hard = found.transforms[0];
      EXPECT_EQ(hard.entropy[0], 0);
      const bool even = theta > 1;
      for (const TransformEvaluation& transform : found.transforms) {
        SCOPED_TRACE(transform_name(transform.transform.id));
        for (const float logit : transform.class_logits)
          EXPECT_TRUE(std::isfinite(logit));
        if (&transform == &hard) continue;
        // Floats are 4.8e-7 apart at 5.7, and 2^-24 of a weight is lost with each of a few
        // roundings.
        EXPECT_NEAR(transform.entropy[0], even ? std::log(kItems) : 0, even ? 1e-6 : 0);
        EXPECT_NEAR(transform.weight_on_max[0], even ? 1.0 / kItems : hard.weight_on_max[0],
                    even ? 1e-9 : 0);
        const double before = even ? std::log(kItems) : 0;  // beta's slope there is below 3
        EXPECT_NEAR(transform.beta[0], softmax_beta(transform.transform, before, kItems), 3e-6);
        if (!even) {
          EXPECT_EQ(transform.class_logits, hard.class_logits);
        }
      }
    }
  }
}

}  // namespace
}  // namespace dispersion
