// What two states of the lab have in common and in what they differ.

#include "core/figure/difference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "core/figure/axis.h"
#include "core/figure/number_text.h"
#include "core/figure/sentences.h"
#include "core/figure/signed_values.h"

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

// Above columns of both no head is named alone, as that of B was.
TEST(ComparedTable, HasTheWordsThatHoldForBoth) {
  Table a;
  a.headings = {"n", "spread"};
  a.rows = {{{.text = "16", .value = 16}, {.text = "50.0", .value = 50}}};
  Table b = a;
  b.rows[0][1] = {.text = "61.3", .value = 61.3125};
  const auto subtitle = [&](std::string of_a, std::string of_b) {
    a.subtitle = Statement::naming(std::move(of_a));
    b.subtitle = Statement::naming(std::move(of_b));
    return compared_tables(a, b, true)[0].subtitle.text();
  };
  EXPECT_EQ(subtitle("seed 1; 8 sets", "seed 1; 8 sets"), "seed 1; 8 sets");
  EXPECT_EQ(subtitle("seed 1; 8 sets", "seed 1; trained on; 8 sets"), "8 sets");
  EXPECT_EQ(subtitle("seed 1; 8 sets", "seed 1; 9 sets"), "");
  EXPECT_EQ(subtitle("one; 8 sets; n = 16", "two; 8 sets; n = 16"), "8 sets; n = 16");
}

TEST(ComparedTable, DifferencesOfAnySizeAreReadable) {
  const auto row = [](TableCell of_a, TableCell of_b) {
    Table a;
    a.headings = {"x"};
    a.rows = {{of_a}};
    Table b = a;
    b.rows = {{of_b}};
    return compared_tables(a, b, true)[0].rows[0];
  };
  const auto text = [&](const TableCell& a, const TableCell& b) { return row(a, b).back().text; };
  EXPECT_EQ(text({.text = "4.0·10⁵²", .value = 4e52}, {.text = "9.3·10⁵²", .value = 9.3e52}),
            "+5.3·10⁵²");
  EXPECT_EQ(text({.text = "0.50", .value = 0.5}, {.text = "0.50", .value = 0.4999}),
            "−" + magnitude_text(0.0001));
  // "B − A +9.3·10⁹⁷" was B alone: numbers that are so far apart have no difference to be read.
  EXPECT_EQ(row({.text = "4.0·10⁵²", .value = 4e52}, {.text = "9.3·10⁹⁷", .value = 9.3e97}).size(),
            2U);
  EXPECT_EQ(text({.text = "0.0", .value = 0}, {.text = "12.3", .value = 12.3}), "+12.3");
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
  EXPECT_EQ(compared.sentence.text(), "A and B: It is so.");
  EXPECT_EQ(compared.plots[0].series.size(), 2U);
  ASSERT_EQ(compared.fields.size(), 1U);
  EXPECT_EQ(compared.fields[0].title.text(), "B: Entropy");
  b.sentence = "It is so. No more.";
  EXPECT_EQ(compared_figure(a, b, true).sentence.text(), "A and B: It is so. B: No more.");
  a.title = "It holds";
  b.title = "It does not";
  EXPECT_EQ(compared_figure(a, b, true).title.text(), "A: It holds; B: It does not");
}

Statement told(std::string_view what, int sentences) {
  Statement text;
  for (int i = 0; i < sentences; ++i) {
    if (i > 0) text += " ";
    text += "It is " +
            Statement::number({.what = what, .value = double(i), .shown = std::to_string(i)}) +
            Statement::naming(" " + std::string(90, 'x') + ".");
  }
  return text;
}

// The sentence spoke of B alone where both were long.
TEST(ComparedFigure, SpeaksOfBothWhereThatIsLong) {
  Figure a;
  Figure b;
  a.sentence = "A stands apart. " + told("number", 7);
  b.sentence = "B stands apart. " + told("number", 5) + " It ends so.";
  b.plots = {line(3)};
  const std::string all = compared_figure(a, b, true).sentence.text();
  EXPECT_TRUE(all.starts_with("A and B: It is 0")) << all;
  EXPECT_NE(all.find(" A: A stands apart. "), std::string::npos) << all;
  EXPECT_NE(all.find(" B: B stands apart. It ends so."), std::string::npos) << all;
  // Too long even so: the last sentences of each are left out, and each keeps its first.
  a.sentence = "A stands apart. " + told("number", 12);
  b.sentence = "B stands apart. " + told("number", 20);
  const std::string some = compared_figure(a, b, true).sentence.text();
  EXPECT_LT(some.size(), 1000U);
  EXPECT_NE(some.find("A: A stands apart."), std::string::npos) << some;
  EXPECT_NE(some.find("B: B stands apart."), std::string::npos) << some;
}

TEST(Sentences, HaveTheirOwnClaims) {
  const std::vector<Statement> all = sentences_of(told("height", 3));
  ASSERT_EQ(all.size(), 3U);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(all[i].claims().size(), 1U);
    EXPECT_EQ(all[i].claims()[0].value, i);
    EXPECT_TRUE(all[i].text().starts_with("It is " + std::to_string(i)));
  }
}

}  // namespace
}  // namespace dispersion
