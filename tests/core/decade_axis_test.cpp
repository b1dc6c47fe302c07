
#include <gtest/gtest.h>

#include "core/experiment/training_history.h"
#include "core/figure/axis.h"
#include "core/figure/figures.h"
#include "core/figure/plot_labels.h"

namespace dispersion {
namespace {

std::vector<std::string> labels(const Axis& axis) {
  std::vector<std::string> texts;
  for (const Tick& tick : axis.ticks)
    texts.push_back(tick.label);
  return texts;
}

TEST(DecadeAxis, HoldsTheValuesInWholeDecades) {
  const Axis axis = decade_axis("x", 0.02, 300);
  EXPECT_TRUE(axis.logarithmic);
  EXPECT_DOUBLE_EQ(axis.low, 0.01);
  EXPECT_DOUBLE_EQ(axis.high, 1000);
  EXPECT_EQ(labels(axis),
            (std::vector<std::string>{"0.01", "0.1", "1", "10", "100", "1\u2009000"}));
}

TEST(DecadeAxis, KeepsLimitsThatArePowersOfTen) {
  const Axis axis = decade_axis("x", 1, 100);
  EXPECT_DOUBLE_EQ(axis.low, 1);
  EXPECT_DOUBLE_EQ(axis.high, 100);
  EXPECT_LT(decade_axis("x", 10, 10).low, decade_axis("x", 10, 10).high);
}

TEST(DecadeAxis, LeavesTicksOutWhereThereAreTooMany) {
  const Axis axis = decade_axis("x", 1e-16, 1e4, 6);
  EXPECT_LE(axis.ticks.size(), 6u);
  EXPECT_EQ(axis.ticks.front().label, "10⁻¹⁶");
}

TEST(DecadeAxis, WritesAllTicksInOneWay) {
  EXPECT_EQ(labels(decade_axis("x", 1000, 1e5)), (std::vector<std::string>{"10³", "10⁴", "10⁵"}));
  EXPECT_EQ(labels(decade_axis("x", 1e-4, 0.01)),
            (std::vector<std::string>{"10⁻⁴", "10⁻³", "10⁻²"}));
  EXPECT_EQ(labels(decade_axis("x", 1000, 1e4)),
            (std::vector<std::string>{"1\u2009000", "10\u2009000"}));
}

TEST(LogTicks, WritesAllMultiplesInOneWay) {
  const std::vector<int> multiples = {1, 2, 5};
  Axis axis;
  axis.ticks = log_ticks(-1, 0, 1, multiples);
  EXPECT_EQ(labels(axis), (std::vector<std::string>{"0.1", "0.2", "0.5", "1", "2", "5"}));
  axis.ticks = log_ticks(4, 5, 1, multiples);
  EXPECT_EQ(labels(axis),
            (std::vector<std::string>{"10⁴", "2·10⁴", "5·10⁴", "10⁵", "2·10⁵", "5·10⁵"}));
  EXPECT_DOUBLE_EQ(axis.ticks[4].value, 200'000);
}

TEST(DecadeAxis, SurvivesWhatHasNoLogarithm) {
  EXPECT_LT(decade_axis("x", 0, 0).low, decade_axis("x", 0, 0).high);
  EXPECT_DOUBLE_EQ(decade_axis("x", -3, 7).high, 10);
}

HistoryRow row(std::uint32_t seed, std::int64_t step, double delta, double bound) {
  HistoryRow row{.seed = seed, .step = step};
  row.spread.delta = delta;
  row.spread.bound = bound;
  row.spread.largest_share = delta / bound;
  return row;
}

TEST(SpreadFigure, ShowsMeansAndTheRangeOfTheSeeds) {
  const Figure figure = spread_figure(
      {{row(1, 0, 1, 4), row(1, 1000, 30, 400)}, {row(2, 0, 3, 8), row(2, 1000, 50, 600)}});
  ASSERT_EQ(figure.plots.size(), 1u);
  const LinePlot& plot = figure.plots.front();
  ASSERT_EQ(plot.series.size(), 2u);
  EXPECT_EQ(plot.series[0].x, (std::vector<double>{0, 1000}));
  EXPECT_EQ(plot.series[0].y, (std::vector<double>{2, 40}));
  EXPECT_EQ(plot.series[0].low, (std::vector<double>{1, 30}));
  EXPECT_EQ(plot.series[1].high, (std::vector<double>{8, 600}));
  EXPECT_TRUE(painted_subtitle(plot).text().ends_with("; 2 points at training step 0 not shown"))
      << painted_subtitle(plot).text();
  EXPECT_TRUE(plot.y.logarithmic);
  EXPECT_LE(plot.y.low, 30);
  EXPECT_GE(plot.y.high, 600);
  EXPECT_EQ(
      figure.sentence.text(),
      "From step 0 to step 1\u2009000 the spread of the dot products Qy·Kx goes from 2.0 to 40 "
      "and the bound on it from 6.0 to 500 (means of 2 runs). In no set is it above 38 % of the "
      "set's own bound.");
  EXPECT_EQ(figure.title.text(), "The spread of dot products stays within its bound");
}

TEST(SpreadFigure, SaysWhenABoundIsBroken) {
  const Figure figure = spread_figure({{row(1, 1, 5, 4)}});
  EXPECT_EQ(
      figure.sentence.text(),
      "At step 1 the spread of the dot products Qy·Kx is 5.0 and the bound on it 4.0 (one run). "
      "In a set it is 125 % of the set's own bound.");
  EXPECT_EQ(figure.title.text(), "The spread of dot products and its bound");
}

TEST(SpreadFigure, CountsTheRunsAtBothEnds) {
  const Figure figure = spread_figure({{row(1, 0, 1, 4), row(1, 5, 2, 4)}, {row(1, 0, 2, 4)}});
  EXPECT_NE(figure.sentence.text().find("(means of 2 runs, at the end of one run)"),
            std::string::npos)
      << figure.sentence.text();
}

TEST(SpreadFigure, OfNothingIsEmptyAndSaysSo) {
  const Figure figure = spread_figure({});
  ASSERT_EQ(figure.plots.size(), 1u);
  EXPECT_TRUE(figure.plots[0].series.empty());
  EXPECT_EQ(figure.plots[0].subtitle, "no training history yet");
}

}  // namespace
}  // namespace dispersion
