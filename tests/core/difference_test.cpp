// What two states of the lab have in common and in what they differ.

#include "core/figure/difference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "core/cpu/cpu_backend.h"
#include "core/experiment/size_pairs.h"
#include "core/figure/axis.h"
#include "core/figure/compared_sizes.h"
#include "core/figure/number_text.h"
#include "core/figure/signed_values.h"
#include "core/figure/size_values.h"
#include "core/head/parameters.h"
#include "core/head/training_state.h"

namespace dispersion {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// A frame whose softmax weights are known in closed form: the item `ahead` of every set is ahead of
// the 15 others by `gap`, and has the weight 1 / (1 + 15 exp(-gap)).
AttentionFrame frame(double gap, TransformId id = TransformId::kSoftmax) {
  AttentionFrame frame;
  frame.items = 16;
  frame.columns = 16;
  frame.transform.id = id;
  const double most = 1 / (1 + 15 * std::exp(-gap));
  for (int set = 0; set < kFrameSets; ++set) {
    for (int column = 0; column < 16; ++column)
      frame.weights.push_back(static_cast<float>(column == 15 ? most : (1 - most) / 15));
  }
  frame.mean_weight_on_max = most;
  return frame;
}

std::vector<TransformFrames> softmax(double gap) {
  return {{frame(gap).transform, {frame(gap)}}};
}

SizeRow row(std::int64_t sets, std::int64_t correct, double entropy, double on_max) {
  SizeRow row;
  row.items = 64;
  row.sets = sets;
  row.correct = correct;
  row.entropy_sum = entropy * static_cast<double>(sets);
  row.weight_on_max_sum = on_max * static_cast<double>(sets);
  return row;
}

TEST(Difference, OfHeatMapsIsThatOfTheWeights) {
  const ComparedGrids compared =
      compared_grids(softmax(1), softmax(3), ColourScale::kSquareRoot, true);
  ASSERT_EQ(compared.strips.size(), 2U);
  EXPECT_EQ(compared.strips[0].side, ComparedSide::kA);
  EXPECT_EQ(compared.strips[1].side, ComparedSide::kB);
  ASSERT_EQ(compared.differences.strips.size(), 1U);
  const HeatmapStrip& strip = compared.differences.strips[0];
  const double expected = 1 / (1 + 15 * std::exp(-3)) - 1 / (1 + 15 * std::exp(-1));
  EXPECT_NEAR(strip.frames[0].values[15], expected, 1e-7);
  EXPECT_NEAR(strip.frames[0].values[0], -expected / 15, 1e-7);
  EXPECT_EQ(strip.frames[0].caption.text(), "+0.419");
  EXPECT_EQ(compared.differences.high, 0.5);
  EXPECT_TRUE(has_sign(compared.differences.low, compared.differences.high));
  EXPECT_FALSE(has_sign(compared.maps.low, compared.maps.high));
  EXPECT_TRUE(compared_grids(softmax(1), softmax(3), ColourScale::kLinear, false)
                  .differences.strips.empty());
}

TEST(Difference, SwapNegatesEveryValueOfTheHeatMaps) {
  const auto values = [](double a, double b) {
    return compared_grids(softmax(a), softmax(b), ColourScale::kLinear, true)
        .differences.strips[0]
        .frames[0]
        .values;
  };
  const std::vector<float> there = values(1, 3);
  const std::vector<float> back = values(3, 1);
  ASSERT_EQ(there.size(), back.size());
  for (std::size_t i = 0; i < there.size(); ++i)
    EXPECT_EQ(there[i], -back[i]);
}

TEST(Difference, EqualStatesHaveOneStrip) {
  const ComparedGrids compared = compared_grids(softmax(2), softmax(2), ColourScale::kLinear, true);
  ASSERT_EQ(compared.strips.size(), 1U);
  EXPECT_EQ(compared.strips[0].side, ComparedSide::kBoth);
  EXPECT_EQ(compared.maps.strips[0].title, "A = B: softmax");
  EXPECT_TRUE(compared.differences.strips.empty());
}

TEST(Difference, ATransformOfOneStateHasOneStrip) {
  std::vector<TransformFrames> a = softmax(1);
  a.push_back({frame(2, TransformId::kAdaptive).transform, {frame(2, TransformId::kAdaptive)}});
  const ComparedGrids compared = compared_grids(a, softmax(2), ColourScale::kLinear, false);
  ASSERT_EQ(compared.strips.size(), 3U);
  EXPECT_EQ(compared.strips[2].side, ComparedSide::kA);
  EXPECT_EQ(compared.strips[2].transform, TransformId::kAdaptive);
}

// One range for all frames, so that colours mean the same across n.
TEST(Difference, AllFramesShareOneSymmetricRange) {
  std::vector<TransformFrames> a = softmax(1);
  std::vector<TransformFrames> b = softmax(3);
  a[0].frames.push_back(frame(1));
  b[0].frames.push_back(frame(1.01));
  const HeatmapGrid grid = compared_grids(a, b, ColourScale::kLinear, true).differences;
  EXPECT_EQ(grid.strips[0].frames.size(), 2U);
  EXPECT_EQ(grid.high, 0.5);
  EXPECT_EQ(grid.low, -0.5);
}

TEST(SignedValues, LimitIsTheNextRoundNumber) {
  EXPECT_EQ(symmetric_limit(0), 1);
  EXPECT_EQ(symmetric_limit(0.5), 0.5);
  EXPECT_EQ(symmetric_limit(0.51), 1);
  EXPECT_DOUBLE_EQ(symmetric_limit(0.013), 0.02);
  EXPECT_EQ(symmetric_limit(300), 500);
  EXPECT_EQ(symmetric_limit(NAN), 1);
}

TEST(SignedValues, SignIsShownUnlessTheNumberIsZero) {
  EXPECT_EQ(signed_text(5.14, 1), "+5.1");
  EXPECT_EQ(signed_text(-5.14, 1), "−5.1");
  EXPECT_EQ(signed_text(0, 1), "0.0");
  EXPECT_EQ(signed_text(0.04, 1), "0.0");
  EXPECT_EQ(signed_text(-0.04, 1), "0.0");
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
  const SizePair pair = {.items = 64, .sets = 4, .only_a = 0, .only_b = 1};
  const ComparedRows other = {TransformId::kSoftmax, &a, &b, &pair};
  for (const ComparedValue& value : compared_size_values(other)) {
    EXPECT_EQ(value.difference.text(), "–") << value.label;
    EXPECT_TRUE(value.exact_difference.empty()) << value.label;
  }
  EXPECT_EQ(other_sets_text(other).text(), "A is of 8 sets, B of 4");
  // The difference is told with the sets that it is of.
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
  EXPECT_EQ(compared_size_values(same)[2].difference.text(), "−0.50");
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

LinePlot line(double height, std::string name = "loss") {
  LinePlot plot;
  plot.title = "Loss";
  plot.x = {.label = "n", .low = 0, .high = 10, .ticks = round_ticks(0, 10)};
  plot.y = {.label = "y", .low = 0, .high = height, .ticks = round_ticks(0, height)};
  Series series = line_series(std::move(name), ColourRole::kBaseline);
  series.x = {1, 2};
  series.y = {height / 2, height};
  plot.series = {series};
  return plot;
}

TEST(ComparedPlot, HasThoseCurvesOfATwiceThatDiffer) {
  LinePlot a = line(4);
  LinePlot b = line(2);
  a.series.push_back(line(1, "same").series[0]);
  b.series.push_back(line(1, "same").series[0]);
  const LinePlot plot = compared_plot(a, b);
  ASSERT_EQ(plot.series.size(), 3U);
  EXPECT_EQ(plot.series[2].name, "A: loss");
  EXPECT_EQ(plot.series[2].line, LineStyle::kDashed);
  EXPECT_EQ(plot.series[2].y, a.series[0].y);
  EXPECT_EQ(plot.y.high, 4);
  EXPECT_EQ(compared_plot(b, b).series.size(), 2U);
}

TEST(ComparedPlot, LinesOfANameWhatTheyMark) {
  LinePlot a = line(4);
  LinePlot b = line(4);
  a.lines = {
      {.value = 3, .label = "bf16"}, {.value = 5, .label = "same"}, {.value = 6, .label = ""}};
  b.lines = {{.value = 4, .label = "bf16"}, {.value = 5, .label = "same"}};
  const LinePlot plot = compared_plot(a, b);
  ASSERT_EQ(plot.lines.size(), 4U);
  EXPECT_EQ(plot.lines[0].label, "bf16");
  EXPECT_EQ(plot.lines[2].label, "A: bf16");
  EXPECT_EQ(plot.lines[3].label, "A");
}

FieldPlot field(float first) {
  FieldPlot plot;
  plot.title = "Entropy";
  plot.x_value = {1, 2};
  plot.y_value = {1, 2};
  plot.values = {first, 2, 3, kNaN};
  plot.low = 0;
  plot.high = 3;
  return plot;
}

TEST(ComparedFields, DifferenceIsDivergingAndUnknownWhereOneIs) {
  const std::vector<FieldPlot> fields = compared_fields(field(1), field(1.25F), true);
  ASSERT_EQ(fields.size(), 3U);
  const FieldPlot& difference = fields[2];
  EXPECT_TRUE(has_sign(difference.low, difference.high));
  EXPECT_EQ(difference.values[0], 0.25F);
  EXPECT_EQ(difference.values[1], 0);
  EXPECT_TRUE(std::isnan(difference.values[3]));
  EXPECT_EQ(difference.low, -difference.high);
  EXPECT_EQ(difference.high, 0.5);
  EXPECT_EQ(compared_fields(field(1), field(1), true).size(), 1U);
  FieldPlot other = field(1);
  other.x_value = {1, 3};
  EXPECT_EQ(compared_fields(other, field(1), true).size(), 2U);
}

TEST(ComparedTable, HasBothAndTheDifferenceOfColumnsThatDiffer) {
  Table a;
  a.headings = {"n", "accuracy", "rows"};
  a.rows = {{{.text = "16", .value = 16}, {.text = "50.0", .value = 50}, {.text = "a"}},
            {{.text = "32", .value = 32}, missing_cell(), {.text = "b"}}};
  Table b = a;
  b.rows[0][1] = {.text = "61.3", .value = 61.3125};
  b.rows[1][1] = {.text = "9.0", .value = 9};
  const std::vector<Table> tables = compared_tables(a, b, true);
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(tables[0].headings,
            (std::vector<std::string>{"n", "accuracy, A", "accuracy, B", "B − A", "rows"}));
  const std::vector<TableCell>& row = tables[0].rows[0];
  ASSERT_EQ(row.size(), 5U);
  EXPECT_EQ(row[1].text, "50.0");
  EXPECT_EQ(row[2].text, "61.3");
  EXPECT_EQ(row[3].value, 11.3125);
  EXPECT_EQ(row[3].text, "+11.3");
  EXPECT_TRUE(std::isnan(tables[0].rows[1][3].value));
  EXPECT_EQ(compared_tables(a, b, false)[0].headings.size(), 4U);
  EXPECT_EQ(compared_tables(b, b, true)[0].headings, b.headings);
  Table shorter = b;
  shorter.rows.pop_back();
  EXPECT_EQ(compared_tables(a, shorter, true).size(), 2U);
}

TEST(ComparedTable, DifferencesOfAnySizeAreReadable) {
  const auto text = [](TableCell of_a, TableCell of_b) {
    Table a;
    a.headings = {"x"};
    a.rows = {{of_a}};
    Table b = a;
    b.rows = {{of_b}};
    return compared_tables(a, b, true)[0].rows[0].back().text;
  };
  EXPECT_EQ(text({.text = "4.0·10⁵²", .value = 4e52}, {.text = "9.3·10⁹⁷", .value = 9.3e97}),
            "+9.3·10⁹⁷");
  EXPECT_EQ(text({.text = "0.50", .value = 0.5}, {.text = "0.50", .value = 0.4999}),
            "−" + magnitude_text(0.0001));
}

TEST(ComparedFigure, SaysWhereBothAreTheSame) {
  Figure a;
  a.sentence = "It is so.";
  a.plots = {line(2)};
  Figure b = a;
  EXPECT_EQ(compared_figure(a, b, true).sentence.text(), "A and B show the same here. It is so.");
  EXPECT_EQ(compared_figure(a, b, true).plots.size(), 1U);
  b.plots = {line(3)};
  b.fields = {field(1)};
  const Figure compared = compared_figure(a, b, true);
  EXPECT_EQ(compared.sentence.text(), "A: It is so. B: It is so.");
  EXPECT_EQ(compared.plots[0].series.size(), 2U);
  ASSERT_EQ(compared.fields.size(), 1U);
  EXPECT_EQ(compared.fields[0].title.text(), "B: Entropy");
  a.title = "It holds";
  b.title = "It does not";
  EXPECT_EQ(compared_figure(a, b, true).title.text(), "A: It holds; B: It does not");
}

}  // namespace
}  // namespace dispersion
