#include "core/experiment/size_table.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "core/cpu/cpu_backend.h"
#include "core/task/draws.h"

namespace dispersion {
namespace {

constexpr HeadShape kSmall{.width = 16, .classes = 10};
const std::array<AttentionTransform, 2> kTransforms = {
    {{.id = TransformId::kSoftmax, .theta = 0.1, .rule = {}},
     {.id = TransformId::kAdaptive, .theta = 0.1, .rule = {}}}};

Parameters<float> small_head() {
  return initial_parameters(kSmall, 3);
}

ItemSets evaluation_sets(int items, int first, int count) {
  ItemSets sets;
  sets.resize(count, items);
  draw_item_sets(7, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(items),
                 static_cast<std::uint32_t>(first), sets);
  return sets;
}

// Rows over the sets 0 .. total-1, evaluated `batch` at a time.
SizeRow row_in_batches(Backend& backend, int transform, int items, int total, int batch) {
  SizeRow row{.items = items, .transform = kTransforms[static_cast<std::size_t>(transform)]};
  for (int first = 0; first < total; first += batch) {
    const ItemSets sets = evaluation_sets(items, first, std::min(batch, total - first));
    add_evaluation(backend.evaluate(small_head(), sets.view(), kTransforms), sets.label, transform,
                   row);
  }
  return row;
}

TEST(SizeTable, SizesDoubleFromFirstToLast) {
  const std::vector<int> paper = doubling_sizes();
  ASSERT_EQ(paper.size(), 11u);
  EXPECT_EQ(paper.front(), 16);
  EXPECT_EQ(paper.back(), 16384);
  EXPECT_EQ(doubling_sizes(3, 20), (std::vector<int>{3, 6, 12}));
  EXPECT_TRUE(doubling_sizes(8, 7).empty());
  EXPECT_THROW(doubling_sizes(0, 16), std::invalid_argument);
}

TEST(SizeTable, MeansOfNothingAreZero) {
  const SizeRow row;
  EXPECT_EQ(row.accuracy(), 0);
  EXPECT_EQ(row.mean_entropy(), 0);
  EXPECT_EQ(row.mean_theta(), 0);
}

TEST(SizeTable, AddsWhatAnEvaluationSays) {
  SetEvaluation evaluation;
  evaluation.sets = 2;
  evaluation.items = 5;
  evaluation.logit_max = {3, 4};
  evaluation.logit_min = {1, -4};
  evaluation.argmax_logit = {2, 0};
  evaluation.argmax_priority = {2, 1};
  evaluation.largest_priorities = {1, 3};
  TransformEvaluation transform;
  transform.transform = {.id = TransformId::kAdaptive, .theta = 2, .rule = {}};
  transform.entropy = {0.5f, 1};
  transform.weight_on_max = {0.25f, 0.5f};
  transform.beta = {1, 4};
  transform.predicted = {9, 7};
  evaluation.transforms = {transform};
  const std::array<std::int32_t, 2> labels = {9, 3};
  SizeRow row{.transform = transform.transform};
  add_evaluation(evaluation, labels, 0, row);
  EXPECT_EQ(row.items, 5);
  EXPECT_EQ(row.sets, 2);
  EXPECT_EQ(row.tied, 1);
  EXPECT_EQ(row.tied_share(), 0.5);
  EXPECT_EQ(row.accuracy(), 0.5);
  EXPECT_EQ(row.argmax_accuracy(), 0.5);
  EXPECT_EQ(row.mean_entropy(), 0.75);
  EXPECT_EQ(row.mean_weight_on_max(), 0.375);
  EXPECT_EQ(row.mean_logit_spread(), 5);
  EXPECT_EQ(row.mean_theta(), (2.0 + 0.5) / 2);

  SizeRow other;
  EXPECT_THROW(add_evaluation(evaluation, labels, 0, other), std::invalid_argument);
  EXPECT_THROW(add_evaluation(evaluation, std::span(labels).first(1), 0, row),
               std::invalid_argument);
}

TEST(SizeTable, RowsDoNotDependOnHowTheSetsAreCut) {
  const auto backend = make_cpu_backend(1);
  for (const int transform : {0, 1}) {
    const SizeRow whole = row_in_batches(*backend, transform, 40, 50, 50);
    EXPECT_EQ(whole.sets, 50);
    for (const int batch : {1, 7, 32}) {
      const SizeRow cut = row_in_batches(*backend, transform, 40, 50, batch);
      EXPECT_EQ(cut.sets, whole.sets);
      EXPECT_EQ(cut.correct, whole.correct);
      EXPECT_EQ(cut.argmax_correct, whole.argmax_correct);
      EXPECT_NEAR(cut.entropy_sum, whole.entropy_sum, 1e-4);
      EXPECT_NEAR(cut.weight_on_max_sum, whole.weight_on_max_sum, 1e-4);
      EXPECT_NEAR(cut.logit_spread_sum, whole.logit_spread_sum, 1e-3);
      EXPECT_NEAR(cut.theta_sum, whole.theta_sum, 1e-4);
    }
  }
}

TEST(SizeTable, EvaluatesEverySizeUnderEveryTransform) {
  const auto backend = make_cpu_backend(1);
  const std::array<int, 3> sizes = {1, 16, 3000};
  double last = 0;
  const std::vector<SizeRow> rows =
      evaluate_sizes(*backend, small_head(), 7, sizes, 45, kTransforms, [&](double share) {
        EXPECT_GT(share, last);
        last = share;
        return true;
      });
  EXPECT_EQ(last, 1);
  ASSERT_EQ(rows.size(), 6u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].items, sizes[i / 2]);
    EXPECT_EQ(rows[i].transform, kTransforms[i % 2]);
    EXPECT_EQ(rows[i].sets, 45);
    EXPECT_GE(rows[i].mean_entropy(), 0);
    EXPECT_LE(rows[i].mean_entropy(), std::log(rows[i].items) + 1e-5);
  }
  EXPECT_EQ(rows[0].mean_weight_on_max(), 1);
  EXPECT_EQ(rows[2].correct, row_in_batches(*backend, 0, 16, 45, 45).correct);
}

TEST(SizeTable, StopsWhenAskedAndKeepsWhatThereIs) {
  const auto backend = make_cpu_backend(1);
  const std::array<int, 2> sizes = {65536, 131072};
  const std::vector<SizeRow> rows = evaluate_sizes(*backend, small_head(), 7, sizes, 3, kTransforms,
                                                   [](double) { return false; });
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].sets, sets_per_piece(65536));
  EXPECT_EQ(rows[1].sets, sets_per_piece(65536));
}

TEST(SizeTable, RefusesImpossibleSizesAndCounts) {
  const auto backend = make_cpu_backend(1);
  const std::array<int, 2> bad = {16, 0};
  EXPECT_THROW(evaluate_sizes(*backend, small_head(), 7, bad, 3, kTransforms, {}),
               std::invalid_argument);
  const std::array<int, 1> good = {16};
  EXPECT_THROW(evaluate_sizes(*backend, small_head(), 7, good, 0, kTransforms, {}),
               std::invalid_argument);
}

TEST(SizeTable, PiecesAreNeitherEmptyNorLargeAndPowersOfTwo) {
  for (const int items : {1, 16, 1000, 3000, 16384, 131072, 1 << 20}) {
    const int sets = sets_per_piece(items);
    EXPECT_GE(sets, 1);
    if (items <= 65536) {
      EXPECT_LE(std::int64_t{sets} * items, 65536);
    }
    EXPECT_TRUE(std::has_single_bit(static_cast<unsigned>(sets))) << items;
  }
}

}  // namespace
}  // namespace dispersion
