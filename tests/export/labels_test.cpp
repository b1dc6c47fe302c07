// Where words stand in a plot, read out of the SVG.

#include <gtest/gtest.h>

#include <cstdio>
#include <iterator>
#include <regex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/export/picture.h"
#include "core/figure/axis.h"
#include "tests/export/sample_figure.h"

namespace dispersion {
namespace {

constexpr SheetSize kTall = {500 * 25.4 / 96, 800 * 25.4 / 96, 9.75, 96};
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
  DrawOptions options;
  options.with_provenance = false;
  const std::string svg = svg_bytes(histogram(true), kSize, options);
  std::smatch found;
  // The bars are the last rectangles of their colour; all are as high.
  const Colour colour = mix(options.palette.panel, options.palette.baseline, 0.32F);
  char fill[8];
  std::snprintf(fill, sizeof fill, "#%02x%02x%02x", static_cast<unsigned>(colour.red),
                static_cast<unsigned>(colour.green), static_cast<unsigned>(colour.blue));
  const std::regex bar(std::string("<rect x=\"[0-9.]+\" y=\"([0-9.]+)\"[^>]*fill=\"") + fill);
  ASSERT_TRUE(std::regex_search(svg, found, bar)) << svg;
  const double top_of_bars = std::stod(found[1]);
  EXPECT_LT(attribute(svg, "text", "y", "in this range"), top_of_bars);
  const std::string without = svg_bytes(histogram(false), kSize, options);
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
    const std::string svg = svg_bytes(figure, kSize, DrawOptions());
    const std::regex element("<rect ");
    return std::distance(std::sregex_iterator(svg.begin(), svg.end(), element), {});
  };
  const auto with_name = rectangles();
  plot.lines[0].label = "";
  EXPECT_EQ(with_name, rectangles());
}

// The window marks an n, at the right end here, where names of lines are written otherwise.
TEST(Labels, OfLinesLeaveAMarkedPlaceFree) {
  Figure figure = histogram(false);
  figure.plots[0].lines = {{.value = 6, .label = "chance", .vertical = false}};
  DrawOptions options;
  options.with_provenance = false;
  const auto right_end = [&] {
    return attribute(svg_bytes(figure, kSize, options), "text", "x", "chance");
  };
  const double usual = right_end();
  options.marked_x = 3.9;
  EXPECT_LT(right_end(), usual - 10);
  options.marked_x = 1;
  EXPECT_EQ(right_end(), usual);
}

TEST(Labels, OfHiddenPointsAreInTheSubtitle) {
  Figure figure = histogram(false);
  figure.plots[0].y.logarithmic = true;
  figure.plots[0].y.low = 1;
  Series series;
  series.x = {1, 2, 3};
  series.y = {0, 2, 0};
  figure.plots[0].series = {series};
  const std::string svg = svg_bytes(figure, kSize, DrawOptions());
  EXPECT_NE(svg.find("2 points at y 0 not shown"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

// Two plots, one below the other, of curves with these names from 0 to `last`.
Figure two_plots(const std::string& first, const std::string& second, double last) {
  Figure figure;
  for (const std::string& name : {first, second}) {
    LinePlot plot = histogram(false).plots[0];
    plot.ranges.clear();
    plot.series.resize(2);
    plot.series[0].name = name;
    plot.series[0].x = {0, 4};
    plot.series[0].y = {2, 9};
    plot.series[1].name = "b";
    plot.series[1].x = {0, last};
    plot.series[1].y = {2, 2};
    figure.plots.push_back(plot);
  }
  return figure;
}

// Where the axes of both plots end: at their last tick, in the middle of its label.
std::pair<double, double> axis_ends(const std::string& svg) {
  const std::regex label("<text x=\"([0-9.]+)\"[^>]*text-anchor=\"middle\">4<");
  std::vector<double> ends;
  for (std::sregex_iterator found(svg.begin(), svg.end(), label), end; found != end; ++found)
    ends.push_back(std::stod((*found)[1]));
  EXPECT_EQ(ends.size(), 2U) << svg;
  return {ends.at(0), ends.at(1)};
}

// One plot had a legend and the other names beside it, and their axes ended apart.
TEST(Labels, OfCurvesStandAlikeInAllPlotsOfAFigure) {
  for (const char* name :
       {"name", "a longer name", "a name that is far too long to stand beside"}) {
    const std::string svg = svg_bytes(two_plots("a", name, 4), kTall, DrawOptions());
    const auto [first, second] = axis_ends(svg);
    EXPECT_EQ(first, second) << name;
  }
}

// A name stood at the right edge, far from the curve that ended before.
TEST(Labels, StandInALegendWhereACurveEndsEarly) {
  const auto x_of_name = [](double last) {
    const std::string svg = svg_bytes(two_plots("name", "other", last), kTall, DrawOptions());
    return std::pair{attribute(svg, "text", "x", "name<"), axis_ends(svg).first};
  };
  const auto [beside, end] = x_of_name(4);
  EXPECT_GT(beside, end);
  const auto [in_legend, later_end] = x_of_name(1);
  EXPECT_LT(in_legend, 100);
  EXPECT_GT(later_end, end);  // without names the axes are longer
}

// A plot of bars alone left room for a legend that had nothing in it.
TEST(Labels, OfCurvesTakeNoRoomWhereThereAreNone) {
  const auto top = [](bool with_curve) {
    Figure figure = histogram(true);
    figure.plots[0].ranges.clear();
    Series series;
    series.name = "a name that is far too long to stand beside";
    series.x = {0, 4};
    series.y = {1, 2};
    figure.plots[0].series = {series};
    if (!with_curve) figure.plots[0].series.clear();
    return attribute(svg_bytes(figure, kSize, DrawOptions()), "text", "y", "12<");
  };
  EXPECT_LT(top(false), top(true) - 20);
}

// Frames are named by numbers: of what is said beside them.
TEST(Labels, OfFramesSayWhatTheyAre) {
  const std::string svg = svg_bytes(sample_figure(), kTall, DrawOptions());
  EXPECT_NE(svg.find(">items<"), std::string::npos);
}

// Where the values on a logarithmic scale were tenths of the range, all stood at its end.
TEST(Labels, OfAColourBarDoNotMeet) {
  HeatmapGrid grid;
  grid.scale = ColourScale::kLogarithmic;
  grid.low = 1e-4;
  grid.high = 1;
  grid.value_label = "attention weight (logarithmic scale)";
  grid.strips.resize(1);
  grid.strips[0].frames.resize(1);
  Figure figure;
  figure.grids = {grid};
  DrawOptions options;
  options.with_provenance = false;
  const std::string wide = svg_bytes(figure, kSize, options);
  const double first = attribute(wide, "text", "x", "10⁻³<");
  EXPECT_GT(attribute(wide, "text", "x", "10⁻²<"), first + 35);
  EXPECT_GT(attribute(wide, "text", "x", "10⁻¹<"), first + 75);
  EXPECT_LT(attribute(wide, "text", "x", "10⁻⁴"), first);
  EXPECT_GT(attribute(wide, "text", "x", "10⁰<"), first + 115);
  // On a short bar those that would touch are left out.
  const std::string narrow =
      svg_bytes(figure, {330 * 25.4 / 96, 300 * 25.4 / 96, 9.75, 96}, options);
  EXPECT_THROW(attribute(narrow, "text", "x", "10⁻²<"), std::runtime_error);
  EXPECT_GT(attribute(narrow, "text", "x", "10⁻¹<"), attribute(narrow, "text", "x", "10⁻³<") + 25);
}

}  // namespace
}  // namespace dispersion
