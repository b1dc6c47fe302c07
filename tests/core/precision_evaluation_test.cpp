// Evaluation with rounding: the table of items against every item computed, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/cpu/cpu_backend.h"
#include "core/cpu/cpu_evaluator.h"
#include "core/cpu/cpu_rounded_evaluator.h"
#include "core/head/forward.h"

namespace dispersion {
namespace {

const std::vector<AttentionTransform> kTransforms = {
    AttentionTransform{}, AttentionTransform{TransformId::kAdaptive, 1, {}}};

// Logits some 10 apart, so that weights are neither all alike nor all nothing.
Parameters<float> lively_head() {
  Parameters<float> head = initial_parameters({}, 3);
  for (std::size_t i = 0; i < head.values.size(); ++i)
    head.values[i] = 2.0f * head.values[i] + 0.05f * std::sin(0.7f * static_cast<float>(i));
  return head;
}

SetEvaluation evaluate(Backend& backend, const DrawnSets& drawn, Precision precision,
                       std::vector<std::int32_t>& labels) {
  return backend.evaluate_drawn(lively_head(), drawn, kTransforms, {.precision = precision},
                                labels);
}

ItemSets draw(const DrawnSets& drawn) {
  ItemSets sets;
  sets.resize(drawn.sets, drawn.items);
  draw_item_sets(drawn.seed, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(drawn.items),
                 drawn.first_set, sets);
  return sets;
}

TEST(ItemTable, ARowDoesNotDependOnItsPlace) {
  RoundedHead head;
  head.assign(lively_head(), Rounding::kBf16);
  const ItemSets sets = draw({.items = ItemTable::kChunkRows, .sets = 1});
  const int rows = sets.items;
  RoundedActivations straight;
  rounded_items(head, sets.priority.data(), sets.item_class.data(), rows, false, straight);
  for (const int turn : {1, 5, 64, 143}) {
    ItemSets turned = sets;
    std::rotate(turned.priority.begin(), turned.priority.begin() + turn, turned.priority.end());
    std::rotate(turned.item_class.begin(), turned.item_class.begin() + turn,
                turned.item_class.end());
    RoundedActivations moved;
    rounded_items(head, turned.priority.data(), turned.item_class.data(), rows, false, moved);
    for (int r = 0; r < rows; ++r) {
      const float* a = straight.key_value.data() + (r + turn) % rows * 256;
      ASSERT_TRUE(std::equal(a, a + 256, moved.key_value.data() + r * 256)) << turn << " " << r;
    }
  }
}

TEST(ItemTable, OneRowForItemsThatRoundToTheSame) {
  ItemTable table;
  ThreadPool thread_pool(2);
  table.assign(lively_head(), Rounding::kBf16);
  const std::vector<float> priority = {0.5f, 0.5001f, 0.6f, 0.5f, 1.0f, 0.0f, 0.99999f};
  const std::vector<std::uint8_t> item_class = {1, 1, 1, 2, 9, 0, 9};
  std::vector<std::int32_t> rows(priority.size());
  table.find(priority, item_class, thread_pool, rows);
  EXPECT_EQ(rows, (std::vector<std::int32_t>{0, 0, 1, 2, 3, 4, 3}));
  const std::vector<float> first(table.key_value(0), table.key_value(0) + 256);
  const std::vector<float> more = {0.25f, 0.5f};
  const std::vector<std::uint8_t> more_class = {3, 1};
  std::vector<std::int32_t> more_rows(2);
  table.find(more, more_class, thread_pool, more_rows);
  EXPECT_EQ(more_rows, (std::vector<std::int32_t>{5, 0}));
  EXPECT_EQ(first, std::vector<float>(table.key_value(0), table.key_value(0) + 256));
  // Another head is another table.
  table.assign(initial_parameters({}, 1), Rounding::kBf16);
  EXPECT_EQ(table.row_count(), 0);
}

struct Case {
  Precision precision;
  int items;
  int sets;
};

class TableEvaluation : public testing::TestWithParam<Case> {};

// Keys and values [items, 2 width] with no table: the items in the order in which they come.
std::vector<float> plain_key_values(const RoundedHead& head, const ItemSetsView& set) {
  constexpr int kRows = ItemTable::kChunkRows;
  std::vector<float> all;
  RoundedActivations space;
  for (int first = 0; first < set.items; first += kRows) {
    std::vector<float> priority(kRows);
    std::vector<std::uint8_t> item_class(kRows);
    const int count = std::min(kRows, set.items - first);
    std::copy_n(set.priority + first, count, priority.begin());
    std::copy_n(set.item_class + first, count, item_class.begin());
    rounded_items(head, priority.data(), item_class.data(), kRows, false, space);
    all.insert(all.end(), space.key_value.data(), space.key_value.data() + count * 256);
  }
  return all;
}

TEST_P(TableEvaluation, EqualsEveryItemComputed) {
  const auto [precision, items, count] = GetParam();
  const auto backend = make_cpu_backend(2);
  std::vector<std::int32_t> labels;
  const DrawnSets drawn{.seed = 5, .items = items, .first_set = 3, .sets = count};
  evaluate(*backend, {.seed = 4, .items = 77, .sets = 2}, precision, labels);  // rows from before
  const SetEvaluation got = evaluate(*backend, drawn, precision, labels);
  const ItemSets sets = draw(drawn);
  EXPECT_EQ(labels, sets.label);
  RoundedHead head;
  head.assign(lively_head(), product_rounding(precision));
  RoundedActivations space;
  for (int s = 0; s < count; ++s) {
    const ItemSetsView set = sets.view().slice(s, 1);
    const std::vector<float> key_value = plain_key_values(head, set);
    std::vector<float> query(CpuRoundedEvaluator::kSetsPerChunk);
    query[7] = set.query[0];  // any place
    rounded_queries(head, query.data(), CpuRoundedEvaluator::kSetsPerChunk, space);
    std::vector<float> logits(static_cast<std::size_t>(items));
    for (int i = 0; i < items; ++i)
      logits[i] = ordered_dot(space.query.data() + 7 * 128, key_value.data() + i * 256, 128);
    ASSERT_EQ(got.logit_max[s], *std::ranges::max_element(logits));
    ASSERT_EQ(got.logit_min[s], *std::ranges::min_element(logits));
    ASSERT_EQ(got.argmax_logit[s], first_largest(logits));
    ASSERT_EQ(got.argmax_priority[s], first_largest({set.priority, logits.size()}));
    for (std::size_t m = 0; m < kTransforms.size(); ++m) {
      std::vector<float> weights(logits.size());
      const TransformResult outcome = attention_weights<float>(logits, kTransforms[m], weights);
      ASSERT_EQ(got.transforms[m].entropy[s], static_cast<float>(outcome.entropy));
      ASSERT_EQ(got.transforms[m].beta[s], static_cast<float>(outcome.beta));
      ASSERT_EQ(got.transforms[m].weight_on_max[s], weights[got.argmax_priority[s]]);
      std::vector<float> pooled(128 * CpuRoundedEvaluator::kSetsPerChunk);
      round_values(head.rounding, weights.data(), weights.data(), weights.size());
      for (int i = 0; i < items; ++i) {
        for (int j = 0; j < 128; ++j)
          pooled[j] = std::fma(weights[i], key_value[i * 256 + 128 + j], pooled[j]);
      }
      round_values(head.rounding, pooled.data(), space.pooled.reserve(pooled.size()),
                   pooled.size());
      rounded_readout(head, CpuRoundedEvaluator::kSetsPerChunk, space);
      for (int c = 0; c < 10; ++c)
        ASSERT_EQ(got.transforms[m].class_logits[s * 10 + c], space.class_logits.data()[c]);
      ASSERT_EQ(got.transforms[m].predicted[s],
                predicted_class<float>({space.class_logits.data(), 10}));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, TableEvaluation,
    testing::Values(Case{Precision::kBf16, 16, 70}, Case{Precision::kBf16, 300, 9},
                    Case{Precision::kBf16, 5000, 2}, Case{Precision::kFp16, 16, 70},
                    Case{Precision::kFp16, 5000, 2}, Case{Precision::kFp16, 1, 3}));

class EvaluationIn : public testing::TestWithParam<Precision> {};

void expect_same(const SetEvaluation& a, int a_first, const SetEvaluation& b, int b_first,
                 int count) {
  for (int s = 0; s < count; ++s) {
    const int i = a_first + s;
    const int j = b_first + s;
    EXPECT_EQ(a.argmax_logit[i], b.argmax_logit[j]);
    EXPECT_EQ(a.argmax_priority[i], b.argmax_priority[j]);
    EXPECT_EQ(a.logit_max[i], b.logit_max[j]);
    for (std::size_t m = 0; m < a.transforms.size(); ++m) {
      EXPECT_EQ(a.transforms[m].entropy[i], b.transforms[m].entropy[j]);
      for (int c = 0; c < 10; ++c)
        EXPECT_EQ(a.transforms[m].class_logits[i * 10 + c],
                  b.transforms[m].class_logits[j * 10 + c]);
    }
  }
}

TEST_P(EvaluationIn, ASetDoesNotNoticeItsNeighboursNorTheThreads) {
  std::vector<std::int32_t> labels;
  const auto one = make_cpu_backend(1);
  const auto three = make_cpu_backend(3);
  const SetEvaluation whole = evaluate(*one, {.items = 90, .sets = 75}, GetParam(), labels);
  const SetEvaluation part =
      evaluate(*three, {.items = 90, .first_set = 40, .sets = 5}, GetParam(), labels);
  expect_same(whole, 40, part, 0, 5);
  expect_same(whole, 0, evaluate(*three, {.items = 90, .sets = 75}, GetParam(), labels), 0, 75);
}

INSTANTIATE_TEST_SUITE_P(Precisions, EvaluationIn,
                         testing::Values(Precision::kBf16, Precision::kFp16));

TEST(EvaluationIn, RoundedPrioritiesAreWhatTheHeadSees) {
  const auto backend = make_cpu_backend(2);
  const DrawnSets drawn{.items = 2000, .sets = 40};
  std::vector<std::int32_t> labels;
  const SetEvaluation got = backend->evaluate_drawn(
      lively_head(), drawn, kTransforms, {HeadPath::kDirect, Precision::kBf16Priorities}, labels);
  ItemSets sets = draw(drawn);
  EXPECT_EQ(labels, sets.label);
  std::vector<std::int32_t> top;
  for (int s = 0; s < sets.sets; ++s)
    top.push_back(first_largest({sets.priority.data() + s * 2000, 2000}));
  EXPECT_EQ(got.argmax_priority, top);
  round_values(Rounding::kBf16, sets.priority.data(), sets.priority.data(), sets.priority.size());
  ThreadPool thread_pool(2);
  const SetEvaluation seen =
      cpu_evaluate(lively_head(), sets.view(), {kTransforms, nullptr}, thread_pool);
  EXPECT_NE(seen.argmax_priority, top);
  EXPECT_EQ(got.argmax_logit, seen.argmax_logit);
  EXPECT_EQ(got.transforms[0].class_logits, seen.transforms[0].class_logits);
  EXPECT_EQ(got.transforms[1].entropy, seen.transforms[1].entropy);
}

TEST(EvaluationIn, FloatIsTheUnroundedEvaluation) {
  const auto backend = make_cpu_backend(2);
  const DrawnSets drawn{.items = 100, .sets = 10};
  std::vector<std::int32_t> labels;
  const SetEvaluation got = backend->evaluate_drawn(lively_head(), drawn, kTransforms,
                                                    {.path = HeadPath::kDirect}, labels);
  const ItemSets sets = draw(drawn);
  ThreadPool thread_pool(2);
  const SetEvaluation plain =
      cpu_evaluate(lively_head(), sets.view(), {kTransforms, nullptr}, thread_pool);
  EXPECT_EQ(labels, sets.label);
  EXPECT_EQ(got.transforms[1].class_logits, plain.transforms[1].class_logits);
}

}  // namespace
}  // namespace dispersion
