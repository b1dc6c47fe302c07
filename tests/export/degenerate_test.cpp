// Data that break plotting programs: every format takes them, and no file holds a number that is
// none.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>
#include <string>
#include <vector>

#include "app/export/curve_painter.h"
#include "app/export/figure_data.h"
#include "app/export/plot_frame.h"
#include "app/export/style.h"
#include "core/figure/axis.h"
#include "tests/core/temporary_folder.h"

namespace dispersion {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kDenormal = std::numeric_limits<double>::denorm_min();

Axis axis(double low, double high) {
  return {.label = "axis", .low = low, .high = high, .ticks = round_ticks(low, high)};
}

Figure curve(std::vector<double> x, std::vector<double> y, Axis x_axis, Axis y_axis) {
  Series series;
  series.name = "curve";
  series.x = std::move(x);
  series.y = std::move(y);
  series.low = series.y;
  series.high = series.y;
  LinePlot plot;
  plot.title = "Plot";
  plot.x = std::move(x_axis);
  plot.y = std::move(y_axis);
  plot.series = {series};
  plot.bars = {{"bars", ColourRole::kNeutral, series.x, series.y}};
  plot.lines = {{kNaN, "nowhere", true}, {kInfinity, "beyond", false}, {1e300, "far", true}};
  plot.ranges = {{-kInfinity, kInfinity, "everywhere"}, {kNaN, 1, "none"}};
  Figure figure;
  figure.title = "Degenerate";
  figure.plots = {plot};
  return figure;
}

Figure field(std::vector<double> x, std::vector<double> y, float value, double low, double high) {
  FieldPlot plot;
  plot.title = "Field";
  plot.x = axis(0, 1);
  plot.y = axis(0, 1);
  plot.values.assign(x.size() * y.size(), value);
  plot.x_value = std::move(x);
  plot.y_value = std::move(y);
  plot.low = low;
  plot.high = high;
  HeatmapGrid grid;
  grid.low = low;
  grid.high = high;
  grid.strips = {{"strip", "", ColourRole::kBaseline, {{"1", "c", 1, 1, {value}}, Heatmap()}}};
  Figure figure;
  figure.fields = {plot};
  figure.grids = {grid};
  return figure;
}

std::vector<Figure> degenerate_figures() {
  Figure empty;
  empty.tables = {Table()};
  empty.fields = {FieldPlot()};
  empty.plots = {LinePlot()};
  empty.grids = {HeatmapGrid()};
  Figure nothing = field({}, {}, 0, 0, 1);
  nothing.grids[0].strips[0].frames.clear();
  const Axis unit = axis(0, 1);
  return {
      Figure(),
      empty,
      nothing,
      curve({}, {}, unit, unit),
      curve({0.5}, {0.5}, unit, unit),
      curve({0, 1, 2}, {1, 1, 1}, axis(0, 2), axis(1, 1)),
      curve({0, 1, 2}, {kNaN, kNaN, kNaN}, axis(0, 2), unit),
      curve({0, 1, 2}, {kInfinity, -kInfinity, 0}, axis(0, 2), unit),
      curve({0, 1, 2}, {-1e300, 1e300, 0}, axis(0, 2), unit),
      curve({0, 1e300}, {0, 1e300}, axis(0, 1e300), axis(-1e300, 1e300)),
      curve({0, kDenormal}, {0, 4 * kDenormal}, axis(0, kDenormal), axis(0, 4 * kDenormal)),
      curve({0, 1, 10}, {0, -1, 100}, decade_axis("x", 0, 10), decade_axis("y", -1, 100)),
      curve({1, 2}, {1, 2}, axis(kNaN, 1), axis(kInfinity, 1)),
      field({0.5}, {0.5}, 0.5F, 0, 1),
      field({0, 1}, {0, 1}, std::numeric_limits<float>::quiet_NaN(), 0, 1),
      field({0, 1}, {0, 1}, 1e30F, 1, 1),
      field({0, 1}, {0, 1}, std::numeric_limits<float>::denorm_min(), 0, kNaN),
  };
}

TEST(Degenerate, Behaviour16_DataGiveFilesWithoutNumbersThatAreNone) {
  const std::regex none("[\" ,(](-?nan|-?inf)[\" ,)]", std::regex::icase);
  int index = 0;
  for (const Figure& figure : degenerate_figures()) {
    for (const Style& style : styles()) {
      for (const bool surfaces : {false, true}) {
        SCOPED_TRACE(std::to_string(index) + " " + std::string(style.name));
        DrawOptions options = style.draw;
        options.surfaces = surfaces;
        SheetSize size = sheet_for(figure, style, {}, options);
        EXPECT_TRUE(std::isfinite(size.height_mm) && size.height_mm > 0);
        size.pixels_per_inch = 72;
        EXPECT_FALSE(std::regex_search(svg_bytes(figure, size, options), none));
        EXPECT_GT(pdf_bytes(figure, size, options).size(), 500U);
        EXPECT_GT(png_bytes(figure, size, options).size(), 100U);
      }
    }
    EXPECT_FALSE(std::regex_search(figure_csv(figure), none)) << index;
    EXPECT_FALSE(std::regex_search(figure_json(figure), none)) << index;
    ++index;
  }
}

// What lies far beyond an axis is drawn in its direction, with coordinates that every format holds.
TEST(Degenerate, DistantPointsAreBroughtNear) {
  const Axis unit = axis(0, 1);
  const Scales scales(unit, unit, {0, 0, 100, 100});
  const std::vector<double> x = {0, 0.5, 1};
  const std::vector<double> y = {0.5, 1e300, -1e300};
  EXPECT_EQ(places(scales, x, y).size(), 1U);  // the others are no marks that can be seen
  const std::vector<Point> line = line_places(scales, x, y);
  ASSERT_GE(line.size(), 3U);
  EXPECT_LT(std::ranges::min(line, {}, &Point::y).y, -1000);
  EXPECT_GT(std::ranges::max(line, {}, &Point::y).y, 1000);
  for (const Point& point : line)
    EXPECT_LT(std::abs(point.y), 1e6);
}

// In every column of half a unit the ends and the extremes stay, and all others go.
TEST(Thinned, KeepsWhatCanBeSeenOfALongLine) {
  std::vector<Point> points;
  const int count = 131'072;
  for (int i = 0; i < count; ++i) {
    const double x = 300.0 * i / count;
    points.push_back({x, 50 + 40 * std::sin(0.05 * x) + (i % 2 == 0 ? 3 : -3)});
  }
  points[70'001].y = 1000;  // one that must not be lost
  const std::vector<Point> few = thinned(points);
  EXPECT_LE(few.size(), 4 * 601U);
  EXPECT_EQ(few.front().x, points.front().x);
  EXPECT_EQ(few.back().x, points.back().x);
  EXPECT_EQ(std::ranges::count(few, 1000, &Point::y), 1);
  EXPECT_TRUE(std::ranges::is_sorted(few, {}, &Point::x));
  double largest_step = 0;
  for (std::size_t i = 1; i < few.size(); ++i)
    largest_step = std::max(largest_step, few[i].x - few[i - 1].x);
  EXPECT_LE(largest_step, 1);
  const std::vector<Point> short_line(points.begin(), points.begin() + 100);
  EXPECT_EQ(thinned(short_line).size(), 100U);
}

TEST(Thinned, ALineThatGoesUpAndDownBecomesItsMeanAndItsRange) {
  std::vector<Point> points;
  for (int i = 0; i < 3000; ++i)
    points.push_back({i / 10.0, i % 2 == 0 ? 10.0 : 20.0});
  const auto dense = dense_line(points);
  ASSERT_TRUE(dense);
  EXPECT_EQ(dense->mean.size(), 100U);  // of three units each
  EXPECT_EQ(dense->low.size(), 100U);
  EXPECT_EQ(dense->high.size(), 100U);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(dense->mean[i].y, 15);
    EXPECT_EQ(dense->low[i].y, 10);
    EXPECT_EQ(dense->low[i].x, dense->high[i].x);
    EXPECT_EQ(dense->high[i].y, 20);
  }
  // Few to a unit are a line.
  for (Point& point : points)
    point.x *= 10;
  EXPECT_FALSE(dense_line(points));
  EXPECT_FALSE(dense_line({}));
}

TEST(Thinned, LongLinesAndManyPointsMakeSmallFiles) {
  std::vector<double> x, y;
  for (int i = 0; i < 131'072; ++i) {
    x.push_back(i);
    y.push_back(0.5 + 0.4 * std::sin(i * 0.37));
  }
  Figure figure = curve(x, y, axis(0, 131'072), axis(0, 1));
  figure.plots[0].bars.clear();
  figure.provenance = {{"command", "figure"}};  // which the picture need not carry
  for (const LineStyle line : {LineStyle::kSolid, LineStyle::kNone}) {
    figure.plots[0].series[0].line = line;
    const Style& style = style_named("paper");
    const SheetSize size = sheet_for(figure, style, {}, style.draw);
    EXPECT_LT(svg_bytes(figure, size, style.draw).size(), 2'500'000U);
    EXPECT_LT(pdf_bytes(figure, size, style.draw).size(), 1'000'000U);
  }
}

}  // namespace
}  // namespace dispersion
