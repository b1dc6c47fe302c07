#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "core/attention/transforms.h"
#include "core/experiment/dispersion.h"
#include "core/experiment/size_table.h"
#include "core/figure/axis.h"
#include "core/figure/figures.h"
#include "core/figure/number_text.h"
#include "core/head/parameters.h"
#include "core/statistics/intervals_and_tests.h"

namespace dispersion {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<std::string> labels(const std::vector<Tick>& ticks) {
  std::vector<std::string> result;
  for (const Tick& tick : ticks)
    result.push_back(tick.label);
  return result;
}

SizeRow row(int items, TransformId transform, std::int64_t sets, std::int64_t correct,
            double entropy) {
  return {.items = items,
          .transform = {.id = transform},
          .sets = sets,
          .correct = correct,
          .entropy_sum = entropy * static_cast<double>(sets)};
}

AttentionFrame frame(int items, TransformId id, double theta, double weight_on_max) {
  AttentionFrame result;
  result.items = items;
  result.columns = std::min(items, kFrameItems);
  result.transform = {.id = id, .theta = theta, .rule = {}};
  result.weights.assign(static_cast<std::size_t>(kFrameSets * result.columns), 0.125f);
  result.mean_weight_on_max = weight_on_max;
  return result;
}

std::vector<TransformFrames> softmax_and(std::vector<AttentionFrame> plain,
                                         std::vector<AttentionFrame> adaptive) {
  return {{{.id = TransformId::kSoftmax}, std::move(plain)},
          {{.id = TransformId::kAdaptive}, std::move(adaptive)}};
}

std::vector<TransformFrames> only(TransformId id, std::vector<AttentionFrame> frames) {
  return {{{.id = id}, std::move(frames)}};
}

TEST(NumberText, GroupsDigitsInThrees) {
  EXPECT_EQ(grouped_text(0), "0");
  EXPECT_EQ(grouped_text(999), "999");
  EXPECT_EQ(grouped_text(1024), "1\u2009024");
  EXPECT_EQ(grouped_text(1234567), "1\u2009234\u2009567");
  EXPECT_EQ(grouped_text(-16384), "\u221216\u2009384");
  EXPECT_EQ(with_plain_spaces("n = 1\u2009234\u2009567 items"), "n = 1 234 567 items");
  EXPECT_EQ(with_plain_spaces("\u2009"), " ");
  EXPECT_EQ(with_plain_spaces("\u2212, \u2013"), "\u2212, \u2013");
}

TEST(NumberText, WritesDecimals) {
  EXPECT_EQ(fixed_text(0.2449, 2), "0.24");
  EXPECT_EQ(fixed_text(-3.25, 1), "\u22123.2");
  EXPECT_EQ(fixed_text(-0.001, 2), "0.00");
  EXPECT_EQ(fixed_text(12345.678, 1), "12\u2009345.7");
  EXPECT_EQ(fixed_text(kNaN, 2), "\u2013");
  EXPECT_EQ(fixed_text(kInfinity, 2), "\u2013");
  EXPECT_EQ(fixed_text(1e300, 0).size(), 301u + 100u * 3u);
}

TEST(NumberText, BoundsAreRoundedOutward) {
  EXPECT_EQ(at_most_text(0.2401, 2), "0.25");
  EXPECT_EQ(at_most_text(0.3, 1), "0.3");
  EXPECT_EQ(at_most_text(-0.29, 1), "\u22120.2");
  EXPECT_EQ(at_least_text(0.2499, 2), "0.24");
  EXPECT_EQ(at_least_text(1.1, 1), "1.1");
  // What is a number of two digits stays that number.
  for (const double value : {1e-12, 1.2e-05, 9.9e-07, 0.5, 3e20}) {
    EXPECT_EQ(scientific_text_up(value), scientific_text_down(value));
    EXPECT_EQ(std::stod(scientific_text_up(value)), value);
  }
  EXPECT_EQ(scientific_text_up(1.201e-05), "1.3e-05");
  EXPECT_EQ(scientific_text_down(1.299e-05), "1.2e-05");
  EXPECT_EQ(scientific_text_up(9.91e-07), "1.0e-06");
  const double below = std::nextafter(1e-5, 0);
  EXPECT_LE(std::stod(scientific_text_down(below)), below);
  EXPECT_GE(std::stod(scientific_text_down(below)), 9.4e-6);
  EXPECT_EQ(scientific_text_up(below), "1.0e-05");
}

TEST(NumberText, WeightsKeepTwoFigures) {
  EXPECT_EQ(weight_text(1), "1.00");
  EXPECT_EQ(weight_text(0.2449), "0.24");
  EXPECT_EQ(weight_text(0.0996), "0.10");
  EXPECT_EQ(weight_text(0.056), "0.056");
  EXPECT_EQ(weight_text(0.0056), "0.0056");
  EXPECT_EQ(weight_text(0.0001), "<0.001");
  EXPECT_EQ(weight_text(kNaN), "\u2013");
}

TEST(ColourScale, PositionsRunFromZeroToOne) {
  for (const ColourScale scale :
       {ColourScale::kLinear, ColourScale::kSquareRoot, ColourScale::kLogarithmic}) {
    EXPECT_EQ(colour_position(scale, 0.01, 0.01, 1), 0);
    EXPECT_EQ(colour_position(scale, 1, 0.01, 1), 1);
    EXPECT_EQ(colour_position(scale, -5, 0.01, 1), 0);
    EXPECT_EQ(colour_position(scale, kInfinity, 0.01, 1), 1);
    EXPECT_EQ(colour_position(scale, kNaN, 0.01, 1), -1);
    double last = 0;
    for (double value = 0.02; value < 1; value += 0.01) {
      const double position = colour_position(scale, value, 0.01, 1);
      EXPECT_GT(position, last);
      last = position;
    }
  }
}

TEST(ColourScale, EveryScaleHasItsShape) {
  EXPECT_DOUBLE_EQ(colour_position(ColourScale::kLinear, 0.25, 0, 1), 0.25);
  EXPECT_DOUBLE_EQ(colour_position(ColourScale::kSquareRoot, 0.25, 0, 1), 0.5);
  EXPECT_NEAR(colour_position(ColourScale::kLogarithmic, 0.01, 1e-4, 1), 0.5, 1e-12);
}

TEST(ColourScale, AnEmptyRangeGivesAPositionAllTheSame) {
  EXPECT_EQ(colour_position(ColourScale::kLinear, 2, 1, 1), 1);
  EXPECT_EQ(colour_position(ColourScale::kSquareRoot, 1, 1, 1), 0);
  const double from_zero = colour_position(ColourScale::kLogarithmic, 0.1, 0, 1);
  EXPECT_GT(from_zero, 0);
  EXPECT_LT(from_zero, 1);
}

TEST(Ticks, SizesArePowersOfTwo) {
  const Axis axis = size_axis(16, 16384, 6);
  EXPECT_TRUE(axis.logarithmic);
  EXPECT_LT(axis.low, 16);
  EXPECT_GT(axis.high, 16384);
  EXPECT_EQ(labels(axis.ticks), (std::vector<std::string>{"16", "64", "256", "1\u2009024",
                                                          "4\u2009096", "16\u2009384"}));
  EXPECT_EQ(labels(size_axis(5, 40).ticks), (std::vector<std::string>{"8", "16", "32"}));
  EXPECT_EQ(labels(size_axis(64, 64).ticks), (std::vector<std::string>{"64"}));
  EXPECT_LT(size_axis(64, 64).low, size_axis(64, 64).high);
}

TEST(Ticks, StepsAreRound) {
  EXPECT_EQ(labels(round_ticks(0, 100, 6)),
            (std::vector<std::string>{"0", "20", "40", "60", "80", "100"}));
  EXPECT_EQ(labels(round_ticks(0, 7, 8)),
            (std::vector<std::string>{"0", "1", "2", "3", "4", "5", "6", "7"}));
  EXPECT_EQ(labels(round_ticks(-0.1, 0.11, 6)),
            (std::vector<std::string>{"\u22120.10", "\u22120.05", "0.00", "0.05", "0.10"}));
  EXPECT_EQ(labels(round_ticks(0, 2e9, 3)), (std::vector<std::string>{"0", "1.0·10⁹", "2.0·10⁹"}));
  // Where steps would be lost in rounding there are none.
  EXPECT_TRUE(round_ticks(1e300, std::nextafter(1e300, 2e300)).empty());
  EXPECT_TRUE(round_ticks(1e16, 1e16 + 2).empty());
  EXPECT_TRUE(round_ticks(-1.7e308, 1.7e308).empty());
  EXPECT_TRUE(round_ticks(0, 5e-324).empty());
  EXPECT_TRUE(round_ticks(1, 1).empty());
  EXPECT_TRUE(round_ticks(0, kInfinity).empty());
  EXPECT_TRUE(round_ticks(kNaN, 1).empty());
}

TEST(DispersionFigure, StacksSoftmaxAboveAdaptive) {
  const std::vector<AttentionFrame> plain = {frame(16, TransformId::kSoftmax, 1, 0.92),
                                             frame(2048, TransformId::kSoftmax, 1, 0.06)};
  const std::vector<AttentionFrame> adaptive = {frame(16, TransformId::kAdaptive, 0.5, 0.93),
                                                AttentionFrame()};
  const HeatmapGrid grid = dispersion_grid(softmax_and(plain, adaptive), ColourScale::kSquareRoot);
  EXPECT_EQ(grid.frame_label, "number of items n");
  ASSERT_EQ(grid.strips.size(), 2u);
  EXPECT_EQ(grid.strips[0].role, ColourRole::kBaseline);
  EXPECT_EQ(grid.strips[0].subtitle, "θ = 1");
  EXPECT_EQ(grid.strips[1].role, ColourRole::kAdaptive);
  EXPECT_EQ(grid.strips[1].subtitle, "θ = 0.5/β(H)");
  const Heatmap& large = grid.strips[0].frames[1];
  EXPECT_EQ(large.title, "2\u2009048");
  EXPECT_EQ(large.caption.text(), "0.060");
  EXPECT_EQ(large.rows, kFrameSets);
  EXPECT_EQ(large.values, plain[1].weights);
  EXPECT_EQ(grid.strips[1].frames[1].rows, 0);
  EXPECT_NE(grid.value_label.find("square-root"), std::string::npos);
}

TEST(DispersionFigure, SaysTheWeightAtTheSmallestAndTheLargestNThereIs) {
  const std::vector<AttentionFrame> plain = {
      AttentionFrame(), frame(32, TransformId::kSoftmax, 1, 0.92),
      frame(2048, TransformId::kSoftmax, 1, 0.06), AttentionFrame()};
  const Figure figure = dispersion_figure(only(TransformId::kSoftmax, plain), ColourScale::kLinear);
  EXPECT_EQ(figure.name, "dispersion");
  EXPECT_EQ(figure.sentence.text(),
            "The mean weight on the maximum goes from 0.92 at n = 32 to 0.060 at n = 2\u2009048.");
  const std::vector<AttentionFrame> adaptive(4);
  EXPECT_EQ(dispersion_figure(softmax_and(plain, adaptive), ColourScale::kLinear).sentence.text(),
            figure.sentence.text());
  EXPECT_EQ(dispersion_figure(only(TransformId::kSoftmax, adaptive), ColourScale::kLinear).sentence,
            "");
}

TEST(DispersionFigure, TheLogarithmicScaleStartsAboveZero) {
  EXPECT_GT(dispersion_grid({}, ColourScale::kLogarithmic).low, 0);
  EXPECT_TRUE(dispersion_grid({}, ColourScale::kLogarithmic).strips.empty());
}

// Nothing below knows the transforms by name: a new one is shown as these are.
TEST(DispersionFigure, EveryTransformHasAStripACurveAndAColourOfItsOwn) {
  std::vector<TransformFrames> all;
  std::vector<SizeRow> rows;
  for (const TransformDefinition* definition : transform_definitions()) {
    const AttentionTransform transform = usual_transform(definition->id);
    all.push_back({transform, {frame(16, definition->id, 1, 0.5)}});
    all.back().frames.front().transform = transform;
    rows.push_back({.items = 16, .transform = transform, .sets = 10, .entropy_sum = 5});
  }
  const Figure figure = dispersion_figure(all, ColourScale::kLinear);
  const LinePlot plot = entropy_plot(rows);
  ASSERT_EQ(figure.grids[0].strips.size(), all.size());
  ASSERT_EQ(plot.series.size(), all.size());
  std::set<std::pair<ColourRole, Mark>> seen;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const TransformDefinition& definition = transform_definition(all[i].transform.id);
    EXPECT_EQ(figure.grids[0].strips[i].title, definition.label);
    EXPECT_EQ(figure.grids[0].strips[i].role, definition.colour);
    EXPECT_EQ(plot.series[i].name, definition.label);
    EXPECT_EQ(plot.series[i].role, definition.colour);
    EXPECT_TRUE(seen.insert({plot.series[i].role, plot.series[i].mark}).second);
    EXPECT_NE(figure.sentence.text().find(i == 0 ? "weight" : definition.words), std::string::npos);
  }
  EXPECT_EQ(figure.grids[0].strips[4].subtitle, "θ = 1, k = 16");
  rows[4].transform.settings[0] = 3;
  EXPECT_EQ(entropy_plot(rows).series[4].name, "top-k, k = 3");
}

TEST(DispersionFigure, AccuracyIsInPercentWithWilsonIntervals) {
  const std::vector<SizeRow> rows = {
      row(16, TransformId::kSoftmax, 200, 190, 1), row(16, TransformId::kAdaptive, 200, 196, 1),
      row(32, TransformId::kSoftmax, 100, 50, 2), row(32, TransformId::kAdaptive, 0, 0, 0)};
  const LinePlot plot = accuracy_plot(rows);
  ASSERT_EQ(plot.series.size(), 2u);
  EXPECT_EQ(plot.series[0].role, ColourRole::kBaseline);
  EXPECT_EQ(plot.series[0].x, (std::vector<double>{16, 32}));
  EXPECT_EQ(plot.series[0].y, (std::vector<double>{95, 50}));
  EXPECT_DOUBLE_EQ(plot.series[0].low[1], 100 * wilson_interval(50, 100).low);
  EXPECT_DOUBLE_EQ(plot.series[0].high[0], 100 * wilson_interval(190, 200).high);
  EXPECT_EQ(plot.series[1].x, (std::vector<double>{16}));
  EXPECT_GE(plot.y.high, 100);
}

TEST(DispersionFigure, SubtitlesSayHowManySets) {
  const std::vector<SizeRow> same = {row(16, TransformId::kSoftmax, 2048, 1, 1)};
  EXPECT_EQ(accuracy_plot(same).subtitle.text(),
            "% of 2\u2009048 sets, against n, 95 % Wilson intervals");
  const std::vector<SizeRow> mixed = {row(16, TransformId::kSoftmax, 2048, 1, 1),
                                      row(32, TransformId::kSoftmax, 64, 1, 1)};
  EXPECT_EQ(accuracy_plot(mixed).subtitle.text(),
            "% of 64 to 2\u2009048 sets, against n, 95 % Wilson intervals");
}

// In a paper, curves at another temperature must not pass for those at 1.
TEST(DispersionFigure, SubtitlesNameATemperatureAndARuleThatAreNotThePapers) {
  const std::vector<SizeRow> rows = {row(16, TransformId::kSoftmax, 2048, 1, 1)};
  AttentionTransform softmax = {TransformId::kSoftmax, 1, AdaptiveRule()};
  AttentionTransform adaptive = {TransformId::kAdaptive, 1, AdaptiveRule()};
  const auto subtitle = [&](std::size_t plot) {
    return size_figure(rows, std::vector{softmax, adaptive}).plots.at(plot).subtitle;
  };
  EXPECT_EQ(subtitle(0), entropy_plot(rows).subtitle);
  EXPECT_EQ(subtitle(1), accuracy_plot(rows).subtitle);
  softmax.theta = adaptive.theta = 0.321;
  EXPECT_EQ(subtitle(0).text(), entropy_plot(rows).subtitle.text() + ", θ = 0.321");
  adaptive.rule.gate = 1;
  EXPECT_EQ(subtitle(1).text(), accuracy_plot(rows).subtitle.text() + ", θ = 0.321, own β(H)");
  std::vector<AttentionFrame> frames = {frame(16, TransformId::kAdaptive, 1, 0.9)};
  EXPECT_EQ(dispersion_grid(only(TransformId::kAdaptive, frames), ColourScale::kLinear)
                .strips[0]
                .subtitle,
            "θ = 1/β(H)");
  frames[0].transform = adaptive;
  EXPECT_EQ(dispersion_grid(only(TransformId::kAdaptive, frames), ColourScale::kLinear)
                .strips[0]
                .subtitle,
            "θ = 0.321/own β");
}

TEST(DispersionFigure, EntropyFillsItsAxis) {
  const std::vector<SizeRow> rows = {row(16, TransformId::kSoftmax, 10, 1, 0.25),
                                     row(16384, TransformId::kSoftmax, 10, 1, 5.9)};
  const LinePlot plot = entropy_plot(rows);
  ASSERT_EQ(plot.series.size(), 1u);
  EXPECT_NEAR(plot.series[0].y[1], 5.9, 1e-12);
  EXPECT_EQ(plot.y.high, 7);
  EXPECT_EQ(plot.y.ticks.size(), 8u);
}

// Guessing is right once in as many times as there are classes.
TEST(DispersionFigure, AccuracyHasALineAtThatOfGuessing) {
  const std::vector<SizeRow> rows = {row(16, TransformId::kSoftmax, 10, 1, 0.25)};
  const LinePlot plot = accuracy_plot(rows);
  ASSERT_EQ(plot.lines.size(), 1U);
  EXPECT_FALSE(plot.lines[0].vertical);
  EXPECT_EQ(plot.lines[0].value, 100.0 / HeadShape().classes);
  EXPECT_EQ(plot.lines[0].label, "chance 10 %");
  EXPECT_TRUE(entropy_plot(rows).lines.empty());
}

TEST(DispersionFigure, NothingYetIsAPlotToo) {
  for (const LinePlot& plot : {accuracy_plot({}), entropy_plot({})}) {
    EXPECT_TRUE(plot.series.empty());
    EXPECT_LT(plot.x.low, plot.x.high);
    EXPECT_LT(plot.y.low, plot.y.high);
  }
}

}  // namespace
}  // namespace dispersion
