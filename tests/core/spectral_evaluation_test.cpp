// Evaluation by the spectral path against the direct one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "core/cpu/cpu_backend.h"
#include "core/cpu/cpu_evaluator.h"
#include "core/math/area.h"
#include "core/math/largest.h"
#include "core/spectral/item_logits.h"
#include "core/task/draws.h"
#include "tests/shipped_head.h"

namespace dispersion {
namespace {

constexpr EvaluationSettings kDirect{.path = HeadPath::kDirect};
const AttentionTransform kTransforms[] = {{TransformId::kSoftmax, 1, {}},
                                          {TransformId::kAdaptive, 1, {}},
                                          {TransformId::kHard, 1, {}},
                                          {TransformId::kAdaptive, 0.7, {}}};

class SpectralEvaluation : public testing::TestWithParam<int> {};

// Another path, not the same one twice: a few logits may still round alike.
bool same_bits(const SetEvaluation& a, const SetEvaluation& b) {
  return a.logit_max == b.logit_max && a.logit_min == b.logit_min &&
         a.transforms[0].entropy == b.transforms[0].entropy &&
         a.transforms[0].class_logits == b.transforms[0].class_logits;
}

void expect_agreement(const SetEvaluation& spectral, const SetEvaluation& direct) {
  EXPECT_EQ(spectral.argmax_priority, direct.argmax_priority);
  EXPECT_EQ(spectral.largest_priorities, direct.largest_priorities);
  ASSERT_EQ(spectral.transforms.size(), direct.transforms.size());
  int other_class = 0;
  int other_item = 0;
  for (int s = 0; s < direct.sets; ++s) {
    // Float rounds logits of about 100 to 1e-5; a dozen such errors in sum.
    EXPECT_NEAR(spectral.logit_max[s], direct.logit_max[s], 2e-4);
    EXPECT_NEAR(spectral.logit_min[s], direct.logit_min[s], 2e-4);
    other_item += spectral.argmax_logit[s] != direct.argmax_logit[s] ? 1 : 0;
    for (std::size_t m = 0; m < direct.transforms.size(); ++m) {
      const TransformEvaluation& a = spectral.transforms[m];
      const TransformEvaluation& b = direct.transforms[m];
      // Two items of nearly the same logit change places under hard attention.
      if (a.transform.id != TransformId::kHard) {
        EXPECT_NEAR(a.entropy[s], b.entropy[s], 3e-4);
        EXPECT_NEAR(a.weight_on_max[s], b.weight_on_max[s], 2e-4);
        EXPECT_NEAR(a.beta[s], b.beta[s], 1e-3);
        for (int c = 0; c < 10; ++c)
          EXPECT_NEAR(a.class_logits[10 * s + c], b.class_logits[10 * s + c], 5e-3);
      }
      other_class += a.predicted[s] != b.predicted[s] ? 1 : 0;
    }
  }
  EXPECT_LE(other_class, 1 + direct.sets / 200);
  EXPECT_LE(other_item, 1 + direct.sets / 200);
}

TEST_P(SpectralEvaluation, AgreesWithTheDirectPath) {
  const int items = GetParam();
  const DrawnSets drawn{
      .seed = 3, .items = items, .first_set = 5, .sets = std::max(2, std::min(300, 40000 / items))};
  const auto backend = make_cpu_backend(2);
  for (const Parameters<float>& head : {initial_parameters({}, 9), shipped_head()}) {
    for (const Precision precision :
         {Precision::kFloat, Precision::kBf16Priorities, Precision::kFp16Priorities}) {
      SCOPED_TRACE(precision_name(precision));
      std::vector<std::int32_t> labels;
      std::vector<std::int32_t> direct_labels;
      const SetEvaluation spectral =
          backend->evaluate_drawn(head, drawn, kTransforms, {.precision = precision}, labels);
      const SetEvaluation direct = backend->evaluate_drawn(
          head, drawn, kTransforms, {HeadPath::kDirect, precision}, direct_labels);
      EXPECT_EQ(labels, direct_labels);
      expect_agreement(spectral, direct);
      EXPECT_FALSE(same_bits(spectral, direct));
    }
  }
}

// Short and long sets, sizes that are no multiple of anything, one item.
INSTANTIATE_TEST_SUITE_P(Sizes, SpectralEvaluation,
                         testing::Values(1, 2, 16, 77, 255, 256, 1000, 4099, 20000));

TEST(SpectralEvaluation, BitsDependNeitherOnThreadsNorOnHowSetsAreCut) {
  const auto one = make_cpu_backend(1);
  const auto three = make_cpu_backend(3);
  std::vector<std::int32_t> labels;
  for (const int items : {16, 700}) {
    const SetEvaluation whole =
        one->evaluate_drawn(shipped_head(), {1, items, 0, 100}, kTransforms, {}, labels);
    const SetEvaluation threads =
        three->evaluate_drawn(shipped_head(), {1, items, 0, 100}, kTransforms, {}, labels);
    const SetEvaluation part =
        three->evaluate_drawn(shipped_head(), {1, items, 64, 36}, kTransforms, {}, labels);
    for (std::size_t m = 0; m < whole.transforms.size(); ++m) {
      EXPECT_EQ(whole.transforms[m].entropy, threads.transforms[m].entropy);
      EXPECT_EQ(whole.transforms[m].class_logits, threads.transforms[m].class_logits);
      for (int s = 0; s < 36; ++s) {
        EXPECT_EQ(whole.transforms[m].entropy[64 + s], part.transforms[m].entropy[s]);
        EXPECT_EQ(whole.transforms[m].predicted[64 + s], part.transforms[m].predicted[s]);
      }
    }
  }
}

TEST(SpectralEvaluation, LabelsAndLargestPrioritiesAreThoseBeforeRounding) {
  const DrawnSets drawn{2, 2000, 0, 60};
  const auto backend = make_cpu_backend(2);
  std::vector<std::int32_t> labels;
  std::vector<std::int32_t> rounded_labels;
  const SetEvaluation plain =
      backend->evaluate_drawn(shipped_head(), drawn, kTransforms, {}, labels);
  const SetEvaluation rounded =
      backend->evaluate_drawn(shipped_head(), drawn, kTransforms,
                              {.precision = Precision::kBf16Priorities}, rounded_labels);
  EXPECT_EQ(rounded_labels, labels);
  EXPECT_EQ(rounded.argmax_priority, plain.argmax_priority);
  EXPECT_EQ(rounded.largest_priorities, plain.largest_priorities);
  EXPECT_NE(rounded.argmax_logit, plain.argmax_logit);
}

// Transforms share their readout where the adaptive one leaves beta at 1, and memory where it does
// not.
TEST(SpectralEvaluation, AMapGivesTheSameWhateverMapsAreBesideIt) {
  const auto backend = make_cpu_backend(2);
  std::vector<std::int32_t> labels;
  for (const int items : {40, 400}) {
    const DrawnSets drawn{2, items, 0, 60};
    const SetEvaluation together =
        backend->evaluate_drawn(shipped_head(), drawn, kTransforms, {}, labels);
    const std::vector<float>& beta = together.transforms[1].beta;
    EXPECT_TRUE(std::find(beta.begin(), beta.end(), 1.0f) != beta.end()) << items;
    EXPECT_TRUE(std::any_of(beta.begin(), beta.end(), [](float b) { return b > 1; })) << items;
    for (std::size_t m = 0; m < std::size(kTransforms); ++m) {
      const SetEvaluation alone =
          backend->evaluate_drawn(shipped_head(), drawn, {&kTransforms[m], 1}, {}, labels);
      EXPECT_EQ(together.transforms[m].entropy, alone.transforms[0].entropy);
      EXPECT_EQ(together.transforms[m].predicted, alone.transforms[0].predicted);
      for (std::size_t i = 0; i < alone.transforms[0].class_logits.size(); ++i) {
        // Where a row stands in a product may change its last bits without AVX-512.
        EXPECT_NEAR(together.transforms[m].class_logits[i], alone.transforms[0].class_logits[i],
                    1e-5);
      }
    }
  }
}

TEST(SpectralEvaluation, GivenAndDrawnSetsAreOneAndLogitsAreThoseOfTheDirectPath) {
  ItemSets sets;
  sets.resize(6, 3000);
  draw_item_sets(8, RandomPurpose::kEvaluation, 3000, 0, sets);
  const auto backend = make_cpu_backend(2);
  std::vector<float> logits;
  std::vector<float> direct;
  const SetEvaluation given =
      backend->evaluate_with_logits(shipped_head(), sets.view(), kTransforms, logits);
  std::vector<std::int32_t> labels;
  const SetEvaluation drawn =
      backend->evaluate_drawn(shipped_head(), {8, 3000, 0, 6}, kTransforms, {}, labels);
  EXPECT_EQ(given.transforms[1].class_logits, drawn.transforms[1].class_logits);
  EXPECT_EQ(given.argmax_logit, drawn.argmax_logit);
  ThreadPool thread_pool(1);
  cpu_evaluate(shipped_head(), sets.view(), {{}, &direct}, thread_pool);
  ASSERT_EQ(logits.size(), direct.size());
  for (std::size_t i = 0; i < logits.size(); ++i)
    ASSERT_NEAR(logits[i], direct[i], 2e-4) << i;
}

TEST(SpectralEvaluation, AHeadTooRoughForItTakesTheDirectPath) {
  Parameters<float> rough = initial_parameters({}, 5);
  for (float& w : rough.tensor(TensorId::kItem0Kernel))
    w *= 40;
  const auto backend = make_cpu_backend(2);
  std::vector<std::int32_t> labels;
  const SetEvaluation automatic =
      backend->evaluate_drawn(rough, {1, 64, 0, 50}, kTransforms, {}, labels);
  const SetEvaluation direct =
      backend->evaluate_drawn(rough, {1, 64, 0, 50}, kTransforms, kDirect, labels);
  EXPECT_EQ(automatic.transforms[0].class_logits, direct.transforms[0].class_logits);
}

TEST(CpuEvaluation, CountsTheItemsThatShareTheLargestPriority) {
  ItemSets sets;
  sets.resize(2, 5000);
  for (std::size_t i = 0; i < 10000; ++i) {
    sets.priority[i] = i < 5000 && i % 100 == 37 ? 0.75f : static_cast<float>(i % 5000) * 1e-4f;
    sets.item_class[i] = static_cast<std::uint8_t>(i % 7);
  }
  ThreadPool thread_pool(1);
  for (const SetEvaluation& result :
       {make_cpu_backend(1)->evaluate(shipped_head(), sets.view(), kTransforms),
        cpu_evaluate(shipped_head(), sets.view(), {kTransforms, nullptr}, thread_pool)}) {
    EXPECT_EQ(result.argmax_priority, (std::vector<std::int32_t>{37, 4999}));
    EXPECT_EQ(result.largest_priorities, (std::vector<std::int32_t>{50, 1}));
  }
}

TEST(ItemLogits, TheArgmaxIsThatOfDoubleEvenWhereFloatsTie) {
  const SpectralTables tables =
      make_spectral_tables(shipped_head(), choose_points(shipped_head(), Spare::kNone));
  // Neighbours on the grid of 2^-24, closer than float logits can tell apart; the head's logit
  // rises with the priority up here.
  std::vector<float> priority(600, 0.25f);
  std::vector<std::uint8_t> item_class(600, 4);
  for (int i = 0; i < 8; ++i)
    priority[100 + 50 * i] = 0.9f + static_cast<float>(i) * 0x1p-24f;
  ItemLogits items;
  items.begin(tables, priority.data(), item_class.data(), 600, 0.4f);
  std::vector<float> logits(600);
  items.compute(logits.data());
  EXPECT_EQ(items.argmax(logits.data(), largest_value<float>(logits)), 100 + 50 * 7);
}

TEST(ItemLogits, APriorityOfOneLiesInTheLastCell) {
  const SpectralTables tables =
      make_spectral_tables(shipped_head(), choose_points(shipped_head(), Spare::kNone));
  // As rounding to bf16 makes them; the last class's last cell ends the table.
  for (const int items : {100, 600}) {
    std::vector<float> priority(static_cast<std::size_t>(items), 0.5f);
    std::vector<std::uint8_t> item_class(static_cast<std::size_t>(items), 9);
    priority[7] = 1;
    priority[8] = 1 - 0x1p-24f;
    ItemLogits logits_of;
    logits_of.begin(tables, priority.data(), item_class.data(), items, 0.3f);
    std::vector<float> logits(static_cast<std::size_t>(items));
    logits_of.compute(logits.data());
    EXPECT_NEAR(logits[7], logits[8], 1e-3) << items;
    EXPECT_GT(logits[7], logits[0]);
    std::vector<float> weights(static_cast<std::size_t>(items), 0.0f);
    weights[7] = 1;
    std::vector<float> node_weights(static_cast<std::size_t>(tables.nodes()));
    logits_of.pool(std::vector<Pooling>{{weights.data(), node_weights.data()}});
    double sum = 0;
    for (const float w : node_weights)
      sum += static_cast<double>(w);
    EXPECT_NEAR(sum, 1, 1e-4) << items;
  }
}

// <pool(w), values at the nodes> = <w, interpolated values>: pooling is the transpose of
// interpolation.
TEST(ItemLogits, PoolingIsTheTransposeOfInterpolation) {
  const SpectralTables tables =
      make_spectral_tables(shipped_head(), choose_points(shipped_head(), Spare::kNone));
  for (const int count : {100, 2000}) {
    ItemSets sets;
    sets.resize(1, count);
    draw_item_sets(2, RandomPurpose::kEvaluation, 1, 0, sets);
    ItemLogits items;
    items.begin(tables, sets.priority.data(), sets.item_class.data(), count, sets.query[0]);
    std::vector<float> logits(static_cast<std::size_t>(count));
    items.compute(logits.data());
    std::vector<float> weights(static_cast<std::size_t>(count));
    double left = 0;
    for (int i = 0; i < count; ++i) {
      weights[i] = std::sin(0.1f * static_cast<float>(i)) / static_cast<float>(count);
      left += static_cast<double>(weights[i]) * static_cast<double>(logits[i]);
    }
    std::vector<float> node_weights(static_cast<std::size_t>(tables.nodes()));
    items.pool(std::vector<Pooling>{{weights.data(), node_weights.data()}});
    std::vector<double> node_logits(static_cast<std::size_t>(tables.nodes()));
    set_node_logits(tables, sets.query[0], node_logits.data());
    double right = 0;
    for (int k = 0; k < tables.nodes(); ++k)
      right += static_cast<double>(node_weights[k]) * node_logits[k];
    EXPECT_NEAR(left, right, 1e-4) << count;
    // Where few weights are left, both ways give the same hidden layer of the readout.
    for (int i = 0; i < count; ++i)
      weights[i] = i < 3 ? 0.25f : 0.0f;
    std::vector<float> few(node_weights.size());
    items.pool(std::vector<Pooling>{{weights.data(), node_weights.data()}});
    items.pool_few(weights.data(), few.data());
    for (int j = 0; j < 128; ++j) {
      double difference = 0;
      for (int k = 0; k < tables.nodes(); ++k) {
        difference += (static_cast<double>(few[k]) - static_cast<double>(node_weights[k])) *
                      static_cast<double>(tables.readout[area(k, 128) + j]);
      }
      EXPECT_NEAR(difference, 0, 2e-6) << j;
    }
  }
}

TEST(Largest, FindsFirstsInAnyPlace) {
  for (const std::size_t size : {1u, 15u, 16u, 127u, 128u, 129u, 400u}) {
    for (const std::size_t place : {std::size_t{0}, size / 2, size - 1}) {
      std::vector<float> values(size, -1.0f);
      values[place] = 2;
      EXPECT_EQ(largest_value<float>(values), 2);
      EXPECT_EQ(first_at_least(values, 2, 0), static_cast<int>(place));
      EXPECT_EQ(first_at_least(values, 2, static_cast<int>(place) + 1), static_cast<int>(size));
    }
  }
  EXPECT_EQ(first_largest(std::vector<float>{NAN, NAN}), 0);
}

TEST(DrawnItems, LanesGiveTheNumbersOfTheBlocks) {
  for (const int items : {1, 31, 32, 33, 100}) {
    ItemSets sets;
    sets.resize(2, items);
    draw_item_sets(11, RandomPurpose::kTraining, 77, 3, sets);
    for (int s = 0; s < 2; ++s) {
      for (int i = 0; i < items; ++i) {
        const PhiloxBlock block = draw_block(
            11, RandomPurpose::kTraining,
            {77, 3 + static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(i), Draw::kItem});
        EXPECT_EQ(sets.priority[area(s, items) + i], uniform_from_24_bits(block.word[0]));
        EXPECT_EQ(sets.item_class[area(s, items) + i], uniform_below(block.word[1], kClasses));
      }
    }
  }
}

}  // namespace
}  // namespace dispersion
