
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "core/figure/plot_labels.h"

namespace dispersion {
namespace {

constexpr FigureBox kInside = {0, 0, 400, 200};
constexpr std::array<double, 1> kWidth = {60};

// Axes from 0 to 4 and from 0 to 2: 100 units are 1.
LinePlot plot_with(ReferenceLine line, std::vector<double> x, std::vector<double> y) {
  LinePlot plot;
  plot.x.high = 4;
  plot.y.high = 2;
  plot.lines = {std::move(line)};
  Series series;
  series.x = std::move(x);
  series.y = std::move(y);
  plot.series = {series};
  return plot;
}

LineLabel label_of(const LinePlot& plot, std::span<const FigureBox> taken = {}) {
  return line_labels(plot, kInside, kWidth, 16, taken)[0];
}

TEST(LineLabels, StandAtTheUpperEndToTheRightWhereNothingLies) {
  const LineLabel label = label_of(plot_with({1, "here", true}, {0, 4}, {0.1, 0.1}));
  EXPECT_TRUE(label.shown);
  EXPECT_FALSE(label.covering);
  EXPECT_EQ(label.box.x, 106);
  EXPECT_EQ(label.box.y, 2);
}

TEST(LineLabels, GiveWayToCurvesPointsLinesAndNames) {
  // A curve across the upper right corner.
  const LineLabel left = label_of(plot_with({2, "here", true}, {2, 4}, {1.99, 1.9}));
  EXPECT_EQ(left.box.x + left.box.width, 194);
  // Across the whole top: farther down.
  EXPECT_GT(label_of(plot_with({2, "here", true}, {0, 4}, {1.9, 1.9})).box.y, 10);
  // Points alone, between which a line would pass.
  LinePlot points = plot_with({2, "here", true}, {1.7, 2.3}, {1.9, 1.9});
  points.series[0].line = LineStyle::kNone;
  EXPECT_GT(label_of(points).box.y, 10);
  // Another line, and what is written already.
  LinePlot lines = plot_with({2, "here", true}, {0, 4}, {0.1, 0.1});
  lines.lines.push_back({2.3, "", true});
  EXPECT_EQ(label_of(lines).box.x + label_of(lines).box.width, 194);
  const std::vector<FigureBox> taken = {{0, 0, 400, 90}};
  const LineLabel below = label_of(plot_with({2, "here", true}, {0, 4}, {0.1, 0.1}), taken);
  EXPECT_GE(below.box.y, 90);
  EXPECT_FALSE(below.covering);
}

TEST(LineLabels, OfTwoLinesDoNotTouch) {
  LinePlot plot = plot_with({2, "this", true}, {0, 4}, {0.1, 0.1});
  plot.lines.push_back({2.05, "that", true});
  const std::array<double, 2> widths = {60, 60};
  const std::vector<LineLabel> labels = line_labels(plot, kInside, widths, 16, {});
  EXPECT_LT(labels[0].box.x + labels[0].box.width, 200);
  EXPECT_GT(labels[1].box.x, 205);
}

// "chance 10 %" lay over "A" at the right end: it can stand elsewhere along its line.
TEST(LineLabels, OfALevelLineGiveWayToThatOfAVerticalOne) {
  // Low, with a curve along the top: the vertical line has one place left.
  LinePlot plot = plot_with({0.5, "level", false}, {0, 4}, {1.9, 1.9});
  plot.lines.push_back({3.9, "A", true});
  constexpr FigureBox kLow = {0, 0, 400, 50};
  const std::array<double, 2> widths = {60, 10};
  const std::vector<LineLabel> labels = line_labels(plot, kLow, widths, 16, {});
  for (const LineLabel& label : labels)
    EXPECT_FALSE(label.covering);
  EXPECT_LT(labels[0].box.x + labels[0].box.width, labels[1].box.x);
}

TEST(LegendKeys, OfAStandBehindThoseOfTheSameName) {
  const std::vector<std::string> names = {"softmax", "1/n", "A: softmax", "A: gone"};
  const std::vector<LegendKey> keys = legend_keys(names);
  ASSERT_EQ(keys.size(), names.size());
  const auto is = [&](std::size_t i, std::size_t curve, const char* name) {
    EXPECT_EQ(keys[i].curve, curve);
    EXPECT_EQ(keys[i].name, name);
  };
  is(0, 0, "softmax");
  is(1, 2, "A");
  is(2, 1, "1/n");
  is(3, 3, "A: gone");
}

TEST(LineLabels, OfALevelLineStandAtTheRightAboveItOrBelow) {
  const LineLabel above = label_of(plot_with({1, "level", false}, {0, 4}, {0.1, 0.1}));
  EXPECT_EQ(above.box.x + above.box.width, 398);
  EXPECT_EQ(above.box.y + above.box.height, 98);
  const LineLabel below = label_of(plot_with({1, "level", false}, {0, 4}, {1.1, 1.1}));
  EXPECT_EQ(below.box.y, 102);
}

TEST(LineLabels, SayWhenSomethingLiesBeneathAndAreNotShownBeyondTheAxes) {
  const std::vector<FigureBox> all = {kInside};
  EXPECT_TRUE(label_of(plot_with({2, "here", true}, {}, {}), all).covering);
  EXPECT_FALSE(label_of(plot_with({5, "here", true}, {}, {})).shown);
  EXPECT_FALSE(label_of(plot_with({2, "", true}, {}, {})).shown);
  EXPECT_TRUE(line_labels(LinePlot(), kInside, {}, 16, {}).empty());
}

TEST(LineLabels, CurvesEndTogetherAtTheRightOrNot) {
  LinePlot plot = plot_with({}, {0, 3.9}, {1, 1});
  plot.series.push_back(plot.series[0]);
  EXPECT_TRUE(curves_end_together(plot));
  plot.series[1].x[1] = 2;
  EXPECT_FALSE(curves_end_together(plot));
  plot.series[1].x[1] = 4;
  plot.series[1].line = LineStyle::kNone;
  EXPECT_FALSE(curves_end_together(plot));
  plot.series.pop_back();
  plot.y.logarithmic = true;
  plot.y.low = 0.1;
  plot.series[0].y[1] = 0;  // its last point is hidden
  EXPECT_FALSE(curves_end_together(plot));
}

}  // namespace
}  // namespace dispersion
