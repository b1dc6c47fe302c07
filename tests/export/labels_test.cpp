// Where words stand in a plot, read out of the SVG.

#include <gtest/gtest.h>

#include <cstdio>
#include <iterator>
#include <regex>
#include <stdexcept>
#include <string>

#include "app/export/picture.h"
#include "core/figure/ticks.h"

namespace dispersion {
namespace {

constexpr SheetSize kSize = {600 * 25.4 / 96, 400 * 25.4 / 96, 9.75, 96};

Figure histogram(bool with_bars) {
  LinePlot plot;
  plot.title = "Plot";
  plot.x = {.label = "x", .low = 0, .high = 4, .ticks = round_ticks(0, 4)};
  plot.y = {.label = "y", .low = 0, .high = 12, .ticks = round_ticks(0, 12)};
  plot.ranges = {{1, 3, "in this range"}};
  if (with_bars) plot.bars = {{"bars", ColourRole::kBaseline, {0, 1, 2, 3, 4}, {10, 10, 10, 10}}};
  Figure figure;
  figure.plots = {plot};
  return figure;
}

double attribute(const std::string& svg, const std::string& before, const std::string& name,
                 const std::string& after) {
  std::smatch found;
  const std::regex element("<" + before + "[^>]* " + name + "=\"([0-9.]+)\"[^>]*>" + after);
  if (!std::regex_search(svg, found, element)) throw std::runtime_error("no " + after);
  return std::stod(found[1]);
}

// The name of a shaded range stood on the bars before.
TEST(Labels, OfRangesStandAboveBars) {
  Look look;
  look.with_provenance = false;
  const std::string svg = svg_bytes(histogram(true), kSize, look);
  std::smatch found;
  // The bars are the last rectangles of their colour; all are as high.
  const Colour colour = mix(look.palette.panel, look.palette.baseline, 0.32F);
  char fill[8];
  std::snprintf(fill, sizeof fill, "#%02x%02x%02x", static_cast<unsigned>(colour.red),
                static_cast<unsigned>(colour.green), static_cast<unsigned>(colour.blue));
  const std::regex bar(std::string("<rect x=\"[0-9.]+\" y=\"([0-9.]+)\"[^>]*fill=\"") + fill);
  ASSERT_TRUE(std::regex_search(svg, found, bar)) << svg;
  const double top_of_bars = std::stod(found[1]);
  EXPECT_LT(attribute(svg, "text", "y", "in this range"), top_of_bars);
  const std::string without = svg_bytes(histogram(false), kSize, look);
  EXPECT_GT(attribute(without, "text", "y", "in this range"), top_of_bars);
}

// The name of a line stood on the curve before, on a ground that cut it.
TEST(Labels, OfLinesCutNoCurve) {
  Figure figure = histogram(false);
  LinePlot& plot = figure.plots[0];
  plot.ranges.clear();
  plot.lines = {{2, "first error", true}};
  Series series;
  series.x = {0, 2.1, 2.2, 4};
  series.y = {11.5, 11.5, 0, 0};
  plot.series = {series};
  const auto rectangles = [&] {
    const std::string svg = svg_bytes(figure, kSize, Look());
    const std::regex element("<rect ");
    return std::distance(std::sregex_iterator(svg.begin(), svg.end(), element), {});
  };
  const auto with_name = rectangles();
  plot.lines[0].label = "";
  EXPECT_EQ(with_name, rectangles());
}

TEST(Labels, OfHiddenPointsAreInTheSubtitle) {
  Figure figure = histogram(false);
  figure.plots[0].y.logarithmic = true;
  figure.plots[0].y.low = 1;
  Series series;
  series.x = {1, 2, 3};
  series.y = {0, 2, 0};
  figure.plots[0].series = {series};
  const std::string svg = svg_bytes(figure, kSize, Look());
  EXPECT_NE(svg.find("2 points at y 0 not shown"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace dispersion
