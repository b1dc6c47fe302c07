// What is said of two states at one size.

#include "core/figure/compared_sizes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/cpu/cpu_backend.h"
#include "core/experiment/size_pairs.h"
#include "core/figure/number_text.h"
#include "core/figure/size_values.h"
#include "core/head/parameters.h"
#include "core/head/training_state.h"

namespace dispersion {
namespace {

SizeRow row(std::int64_t sets, std::int64_t correct, double entropy, double on_max) {
  SizeRow row;
  row.items = 64;
  row.sets = sets;
  row.correct = correct;
  row.entropy_sum = entropy * static_cast<double>(sets);
  row.weight_on_max_sum = on_max * static_cast<double>(sets);
  return row;
}

// Two heads, counted in uneven pieces, against their rows.
TEST(SizePairs, AreThoseOfTheSetsOfTwoHeads) {
  const auto backend = make_cpu_backend(1);
  const std::vector<AttentionTransform> plain = {AttentionTransform()};
  const std::vector<int> sizes = {8};
  constexpr int kSets = 100;
  const TrainingState one = start_training(HeadShape(), 1);
  const TrainingState two = start_training(HeadShape(), 2);
  const auto row_of = [&](const TrainingState& head) {
    return evaluate_sizes(*backend, head.parameters, 1, sizes, kSets, plain, Progress()).front();
  };
  const HeadUnder a = {one.parameters, plain};
  const HeadUnder b = {two.parameters, plain};
  std::vector<SizePair> pairs = empty_pairs(a, b, 8);
  ASSERT_EQ(pairs.size(), 1U);
  for (const int sets : {32, 1, 67})
    add_pairs(*backend, a, b, 1, sets, pairs);
  EXPECT_EQ(pairs[0].sets, kSets);
  EXPECT_GT(pairs[0].only_a + pairs[0].only_b, 0);
  EXPECT_EQ(pairs[0].both + pairs[0].only_a, row_of(one).correct);
  EXPECT_EQ(pairs[0].only_b - pairs[0].only_a, row_of(two).correct - row_of(one).correct);
  EXPECT_DOUBLE_EQ(pairs[0].accuracy().difference, row_of(two).accuracy() - row_of(one).accuracy());

  std::vector<SizePair> same = empty_pairs(a, a, 8);
  add_pairs(*backend, a, a, 1, kSets, same);
  EXPECT_EQ(same[0].only_a, 0);
  EXPECT_EQ(same[0].only_b, 0);
  EXPECT_EQ(same[0].accuracy().difference, 0);
}

TEST(SizePairs, OnlyOfTransformsThatBothHave) {
  const TrainingState head = start_training(HeadShape(), 1);
  const std::vector<AttentionTransform> both = {{}, {.id = TransformId::kAdaptive}};
  const std::vector<AttentionTransform> plain = {{}};
  EXPECT_EQ(empty_pairs({head.parameters, both}, {head.parameters, both}, 16).size(), 2U);
  EXPECT_EQ(empty_pairs({head.parameters, plain}, {head.parameters, both}, 16).size(), 1U);
}

TEST(ComparedSizes, SayBothAndTheDifference) {
  const SizeRow a = row(4, 1, 2, 0.25);
  const SizeRow b = row(4, 2, 1.5, 0.5);
  const SizePair pair = {.items = 64, .sets = 4, .only_a = 0, .only_b = 1};
  const auto values = compared_size_values({TransformId::kSoftmax, &a, &b, &pair});
  EXPECT_EQ(values[0].a.text(), "25.0");
  EXPECT_EQ(values[0].b.text(), "50.0");
  EXPECT_EQ(values[0].difference.text(), "+25.0");
  EXPECT_EQ(values[1].difference.text(), "+0.250");
  EXPECT_EQ(values[2].difference.text(), "−0.50");
  EXPECT_EQ(values[2].exact_difference, "-0.5");
  EXPECT_NE(paired_text({TransformId::kSoftmax, &a, &b, &pair}).text().find("4 same sets"),
            std::string::npos);
  // What is not known is a dash, and accuracies that are not paired have no difference.
  const auto none = compared_size_values({TransformId::kSoftmax, nullptr, &b, nullptr});
  EXPECT_EQ(none[0].a.text(), "–");
  EXPECT_EQ(none[0].difference.text(), "–");
  EXPECT_EQ(compared_size_values({TransformId::kSoftmax, &a, &b, nullptr})[0].difference.text(),
            "–");
  EXPECT_TRUE(paired_text({TransformId::kSoftmax, &a, &b, nullptr}).empty());
}

// Everywhere a small weight is written as below the heat maps, and not as 0.
TEST(ComparedSizes, WriteWeightsAsTheMapsDo) {
  const SizeRow a = row(4, 1, 2, 0.0002);
  const SizeRow b = row(4, 2, 1.5, 0.0561);
  const auto values = compared_size_values({TransformId::kSoftmax, &a, &b, nullptr});
  EXPECT_EQ(values[1].a.text(), weight_text(0.0002));
  EXPECT_EQ(values[1].b.text(), weight_text(0.0561));
  for (const SizeRow& each : {a, b})
    EXPECT_EQ(size_values(TransformId::kSoftmax, &each)[1].value.text(),
              weight_text(each.mean_weight_on_max()));
}

// "A 15.8, B 15.6, B − A +3.1" was said while A was of more sets than the difference.
TEST(ComparedSizes, TellNoDifferenceOfOtherSets) {
  const SizeRow a = row(8, 2, 2, 0.25);
  const SizeRow b = row(4, 2, 1.5, 0.5);
  const SizePair pair = {.items = 64, .sets = 4, .only_a = 0, .only_b = 1, .both = 1};
  const ComparedRows other = {TransformId::kSoftmax, &a, &b, &pair};
  const std::vector<ComparedValue> values = compared_size_values(other);
  ASSERT_EQ(values.size(), 4U);
  for (const std::size_t i : {0, 2, 3}) {
    EXPECT_EQ(values[i].difference.text(), "") << values[i].label;
    EXPECT_TRUE(values[i].exact_difference.empty()) << values[i].label;
  }
  EXPECT_EQ(other_sets_text(other).text(), "A is of 8 sets, B of 4");
  // The difference is told with the sets that it is of: it stood below the row, in which was a
  // dash.
  EXPECT_EQ(values[1].label, "same 4 sets");
  EXPECT_EQ(values[1].a.text(), "25.0");
  EXPECT_EQ(values[1].b.text(), "50.0");
  EXPECT_EQ(values[1].difference.text(), "+25.0");
  EXPECT_TRUE(interval_text(other).text().ends_with(" points, 4 same sets"));
  EXPECT_TRUE(paired_text(other).text().starts_with("+25.0 (")) << paired_text(other).text();
  EXPECT_TRUE(paired_text(other).text().ends_with(") points, 4 same sets"));
  const Table table = size_comparison_table(std::vector{other});
  EXPECT_TRUE(std::isnan(table.rows[0][4].value));
  EXPECT_TRUE(std::isnan(table.rows[0][4].low));
  EXPECT_TRUE(accuracy_differences(std::vector{other}).series.empty());
  EXPECT_TRUE(entropy_differences(std::vector{other}).series.empty());
  // Both are of the same sets, of which only half have been compared set by set.
  const SizeRow more = row(8, 4, 1.5, 0.5);
  const ComparedRows same = {TransformId::kSoftmax, &a, &more, &pair};
  EXPECT_EQ(compared_size_values(same)[0].difference.text(), "–");
  EXPECT_EQ(compared_size_values(same)[1].label, "same 4 sets");
  EXPECT_EQ(compared_size_values(same)[3].difference.text(), "−0.50");
  EXPECT_TRUE(other_sets_text(same).empty());
  EXPECT_TRUE(accuracy_differences(std::vector{same}).series.empty());
  EXPECT_EQ(entropy_differences(std::vector{same}).series.at(0).y, std::vector<double>{-0.5});
}

TEST(ComparedSizes, TableAndPlotHaveTheSameNumbers) {
  const std::vector<SizeRow> a = {row(4, 1, 2, 0.25)};
  const std::vector<SizeRow> b = {row(4, 2, 1.5, 0.5)};
  const std::vector<SizePair> pairs = {{.items = 64, .sets = 4, .only_a = 0, .only_b = 1}};
  const std::vector<ComparedRows> rows = compared_rows(a, b, pairs);
  const Table table = size_comparison_table(rows);
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].size(), table.headings.size());
  EXPECT_EQ(table.rows[0][4].value, 25);
  const LinePlot plot = accuracy_difference_plot(rows);
  ASSERT_EQ(plot.series.size(), 1U);
  EXPECT_EQ(plot.series[0].y[0], 25);
  EXPECT_EQ(plot.series[0].low[0], table.rows[0][4].low);
  EXPECT_TRUE(accuracy_difference_plot({}).series.empty());
  EXPECT_TRUE(compared_rows({}, b, pairs).empty());
}

}  // namespace
}  // namespace dispersion
