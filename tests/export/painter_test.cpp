// What the painters put on paper, pixel by pixel.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "app/export/cairo_canvas.h"
#include "app/export/figure_painter.h"
#include "app/export/picture.h"
#include "core/figure/axis.h"

namespace dispersion {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kUnit = 25.4 / 96;  // mm
constexpr int kWidth = 600;
constexpr int kHeight = 400;
const DrawOptions kDrawOptions;

std::uint32_t packed(Colour c) {
  return std::uint32_t{c.red} << 16 | std::uint32_t{c.green} << 8 | c.blue;
}

// A sheet that something was painted on.
class Sheet {
 public:
  Sheet(double scale, const std::function<void(Canvas&, Rect)>& paint)
      : width_(static_cast<int>(kWidth * scale)), height_(static_cast<int>(kHeight * scale)) {
    cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width_, height_);
    cairo_t* context = cairo_create(surface);
    cairo_scale(context, scale, scale);
    {
      const Typeface typeface;
      CairoCanvas canvas(context, scale, typeface);
      canvas.fill({0, 0, kWidth, kHeight}, kDrawOptions.palette.panel);
      paint(canvas, {10, 10, kWidth - 20, kHeight - 20});
    }
    EXPECT_EQ(cairo_status(context), CAIRO_STATUS_SUCCESS);
    cairo_surface_flush(surface);
    const unsigned char* data = cairo_image_surface_get_data(surface);
    const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface));
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        std::uint32_t pixel = 0;
        std::memcpy(&pixel,
                    data + static_cast<std::size_t>(y) * stride +
                        std::size_t{4} * static_cast<std::size_t>(x),
                    4);
        pixels_.push_back(pixel & 0xFFFFFF);
      }
    }
    cairo_destroy(context);
    cairo_surface_destroy(surface);
  }

  std::size_t count(Colour colour) const {
    return static_cast<std::size_t>(std::ranges::count(pixels_, packed(colour)));
  }
  // How many pixels are neither paper nor `other`.
  std::size_t inked() const { return pixels_.size() - count(kDrawOptions.palette.panel); }

  // The smallest box around all pixels of a colour: left, top, right, bottom; and whether it is
  // full.
  struct Box {
    int left = 1 << 20, top = 1 << 20, right = -1, bottom = -1;
    bool full = false;
  };
  Box box(Colour colour) const {
    Box box;
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        if (at(x, y) != packed(colour)) continue;
        box.left = std::min(box.left, x);
        box.right = std::max(box.right, x);
        box.top = std::min(box.top, y);
        box.bottom = std::max(box.bottom, y);
      }
    }
    box.full = std::size_t{1} * static_cast<std::size_t>(box.right - box.left + 1) *
                   static_cast<std::size_t>(box.bottom - box.top + 1) ==
               count(colour);
    return box;
  }
  std::uint32_t at(int x, int y) const {
    return pixels_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                   static_cast<std::size_t>(x)];
  }

 private:
  int width_;
  int height_;
  std::vector<std::uint32_t> pixels_;
};

Axis axis(double low, double high) {
  return {.label = "x", .low = low, .high = high, .ticks = round_ticks(low, high, 5)};
}

// Values 0.25 0.5 below, 0.75 1 above, on a grey that is none of them.
FieldPlot field() {
  FieldPlot plot;
  plot.title = "A field";
  plot.x = axis(0, 2);
  plot.y = axis(0, 2);
  plot.x_value = {0.5, 1.5};
  plot.y_value = {0.5, 1.5};
  plot.values = {0.25F, 0.5F, 0.75F, 1};
  plot.value_label = "height";
  return plot;
}

LinePlot line_plot(std::vector<double> x, std::vector<double> y) {
  LinePlot plot;
  plot.title = "A plot";
  plot.x = axis(0, 10);
  plot.y = axis(0, 10);
  Series series;
  series.name = "curve";
  series.role = ColourRole::kBaseline;
  series.x = std::move(x);
  series.y = std::move(y);
  series.markers = false;
  plot.series = {series};
  return plot;
}

// First, middle and last entries as published, and lightness that only grows: the maps can be
// printed in grey.
// Latin Modern's bold has no Greek; its letters for mathematics have.
TEST(Typefaces, BoldGreekIsBold) {
  const Typeface serif(FontFamily::kSerif);
  for (const char* letter : {"θ", "λ", "β", "Δ", "ω"}) {
    EXPECT_GT(serif.width(letter, 100, Weight::kMedium),
              1.05 * serif.width(letter, 100, Weight::kRegular))
        << letter;
  }
}

TEST(ColourMaps, AreAsPublishedAndGrowLighter) {
  EXPECT_EQ(map_colour(ColourMap::kViridis, 0), rgb(0x440154));
  EXPECT_EQ(map_colour(ColourMap::kCividis, 0), rgb(0x00224E));
  EXPECT_EQ(map_colour(ColourMap::kCividis, 1), rgb(0xFEE838));
  EXPECT_EQ(map_colour(ColourMap::kMagma, 0), rgb(0x000004));
  EXPECT_EQ(map_colour(ColourMap::kMagma, 1), rgb(0xFCFDBF));
  for (const ColourMap map : {ColourMap::kViridis, ColourMap::kCividis, ColourMap::kMagma}) {
    double last = -1;
    for (int i = 0; i < 256; i += 5) {
      const Colour c = map_colour(map, i / 255.0);
      const double light = 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue;
      EXPECT_GT(light, last) << i;
      last = light;
      EXPECT_NE(c, map_colour(map, -1));
    }
  }
}

TEST(Field, CellsAreSharpAtAnyScale) {
  for (const double scale : {1.0, 3.0}) {
    for (const ColourMap map : {ColourMap::kViridis, ColourMap::kCividis, ColourMap::kMagma}) {
      FieldPlot plot = field();
      plot.map = map;
      const Sheet sheet(
          scale, [&](Canvas& canvas, Rect area) { paint_field(canvas, plot, area, kDrawOptions); });
      const auto lower_left = sheet.count(map_colour(map, 0.25));
      const auto upper_right = sheet.count(map_colour(map, 1));
      EXPECT_GT(lower_left, 10'000 * scale * scale);
      EXPECT_GT(upper_right, 10'000 * scale * scale);
      EXPECT_GT(sheet.count(map_colour(map, 0.5)), 10'000 * scale * scale);
      EXPECT_GT(sheet.count(map_colour(map, 0.75)), 10'000 * scale * scale);
    }
  }
}

TEST(Field, TheSecondRowIsOnTopAndTheFirstColumnOnTheLeft) {
  FieldPlot plot = field();
  plot.values = {0, 0, 0, 0};
  for (std::size_t cell = 0; cell < 4; ++cell) {
    plot.values.assign(4, 0);
    plot.values[cell] = std::numeric_limits<float>::quiet_NaN();
    const Sheet sheet(
        1, [&](Canvas& canvas, Rect area) { paint_field(canvas, plot, area, kDrawOptions); });
    const Sheet::Box box = sheet.box(map_colour(ColourMap::kViridis, -1));
    EXPECT_TRUE(box.full);  // what is not known is one grey rectangle
    EXPECT_EQ(box.left > 250, cell % 2 == 1) << cell;
    EXPECT_EQ(box.top < 120, cell >= 2) << cell;
  }
}

TEST(Field, ASurfaceShowsTheSameColours) {
  FieldPlot plot = field();
  plot.x_value = {0, 1, 2};
  plot.y_value = {0, 1, 2};
  plot.values.assign(9, 0.5F);  // level: no face leans away, so colours are those of the map
  DrawOptions options;
  options.surfaces = true;
  const Sheet sheet(1,
                    [&](Canvas& canvas, Rect area) { paint_field(canvas, plot, area, options); });
  EXPECT_GT(sheet.count(map_colour(ColourMap::kViridis, 0.5)), 4'000U);
}

TEST(Field, WhatCannotBeDrawnLeavesItsHeading) {
  FieldPlot plot = field();
  plot.x.high = kNaN;
  for (const bool surfaces : {false, true}) {
    DrawOptions options;
    options.surfaces = surfaces;
    const Sheet sheet(1,
                      [&](Canvas& canvas, Rect area) { paint_field(canvas, plot, area, options); });
    EXPECT_GT(sheet.inked(), 0U);
    EXPECT_LT(sheet.inked(), 3'000U);
  }
}

std::size_t blue(const LinePlot& plot) {
  const Sheet sheet(
      1, [&](Canvas& canvas, Rect area) { paint_line_plot(canvas, plot, area, kDrawOptions); });
  return sheet.count(kDrawOptions.palette.baseline);
}

TEST(LinePlot, DashesHaveGapsAndPointsHaveNoLine) {
  LinePlot plot = line_plot({0, 10}, {5, 5});
  plot.series[0].name = "";
  const std::size_t solid = blue(plot);
  plot.series[0].line = LineStyle::kDashed;
  const std::size_t dashed = blue(plot);
  plot.series[0].line = LineStyle::kNone;
  EXPECT_GT(dashed, solid / 4);
  EXPECT_LT(dashed, 3 * solid / 4);
  EXPECT_EQ(blue(plot), 0U);
  plot.series[0].markers = true;
  EXPECT_GT(blue(plot), 20U);
  EXPECT_LT(blue(plot), solid / 4);
}

TEST(LinePlot, AHiddenCurveIsNotPaintedAndTheOthersKeepTheirColours) {
  LinePlot plot = line_plot({0, 10}, {5, 5});
  plot.series.push_back(plot.series[0]);
  plot.series[1].name = "another";
  plot.series[1].y = {8, 8};
  const Colour paler = series_colours(kDrawOptions.palette, plot.series)[1];
  const auto painted = [&](Colour colour) {
    return Sheet(1, [&](Canvas& canvas,
                        Rect area) { paint_line_plot(canvas, plot, area, kDrawOptions); })
        .count(colour);
  };
  EXPECT_GT(painted(paler), 100U);
  EXPECT_GT(blue(plot), 100U);
  plot.series[0].hidden = true;
  EXPECT_EQ(blue(plot), 0U);
  EXPECT_GT(painted(paler), 100U);
}

// Far beyond the axes a line is cut short; where it can be seen it must not turn aside.
TEST(LinePlot, ALineFromFarAwayIsWhereItWas) {
  LinePlot plot = line_plot({-1e9, 1e9}, {-1e9 + 5, 1e9 + 5});
  plot.series[0].name = "";
  plot.x.low = plot.y.low = 0;
  plot.x.high = plot.y.high = 10;
  const auto box = [&] {
    return Sheet(1, [&](Canvas& canvas,
                        Rect area) { paint_line_plot(canvas, plot, area, kDrawOptions); })
        .box(kDrawOptions.palette.baseline);
  };
  const Sheet::Box far = box();
  plot.series[0].x = {-10, 10};
  plot.series[0].y = {-5, 15};
  const Sheet::Box near = box();
  EXPECT_NEAR(far.left, near.left, 2);
  EXPECT_NEAR(far.right, near.right, 2);
  EXPECT_NEAR(far.top, near.top, 2);
  EXPECT_NEAR(far.bottom, near.bottom, 2);
}

TEST(LinePlot, BarsStandOnTheirEdges) {
  LinePlot plot = line_plot({}, {});
  plot.bars = {{"bars", ColourRole::kAdaptive, {0, 5, 10}, {10, 0}}};
  const Sheet sheet(
      1, [&](Canvas& canvas, Rect area) { paint_line_plot(canvas, plot, area, kDrawOptions); });
  const Colour pale = mix(kDrawOptions.palette.panel, kDrawOptions.palette.adaptive, 0.32F);
  const Sheet::Box box = sheet.box(pale);
  EXPECT_GT(sheet.count(pale), 40'000U);
  EXPECT_LT(box.right, kWidth / 2 + 40);  // the second bar has no height
}

TEST(LinePlot, RangesAndLinesOutsideTheAxesAreLeftOut) {
  LinePlot plot = line_plot({0, 10}, {5, 5});
  const auto inked = [&] {
    return Sheet(1, [&](Canvas& canvas,
                        Rect area) { paint_line_plot(canvas, plot, area, kDrawOptions); })
        .inked();
  };
  const std::size_t before = inked();
  plot.lines = {{20, "", true}, {-5, "", false}, {kNaN, "", true}};
  plot.ranges = {{20, 30, ""}, {kNaN, 3, ""}};
  EXPECT_EQ(inked(), before);
  plot.lines = {{3, "here", true}};
  const std::size_t with_line = inked();
  EXPECT_GT(with_line, before);
  plot.ranges = {{2, 8, "range"}};
  EXPECT_GT(inked(), with_line + 30'000);
}

TEST(LinePlot, ManySeriesOfARoleAreToldApart) {
  LinePlot plot = line_plot({}, {});
  plot.series.clear();
  for (int i = 0; i < 6; ++i) {
    Series series = line_plot({0, 10}, {1.0 + i, 1.0 + i}).series[0];
    series.name = "layer " + std::to_string(i);
    plot.series.push_back(series);
  }
  std::set<std::uint32_t> colours;
  const Sheet sheet(
      1, [&](Canvas& canvas, Rect area) { paint_line_plot(canvas, plot, area, kDrawOptions); });
  for (const Colour colour : series_colours(kDrawOptions.palette, plot.series)) {
    colours.insert(packed(colour));
    EXPECT_GT(sheet.count(colour), 300U);
  }
  EXPECT_EQ(colours.size(), 6U);
}

Table table() {
  return {"A table",
          "of two columns",
          {"n", "accuracy"},
          {{{.text = "16"}, {.text = "98.6", .role = ColourRole::kBaseline, .strong = true}},
           {{.text = "16384"}, {.text = "12.4", .role = ColourRole::kAdaptive}},
           {{.text = "longer row"}, {.text = "–", .muted = true}, {.text = "without heading"}}},
          {"A note that explains."}};
}

TEST(TablePainter, WritesEveryCellInItsColour) {
  const Sheet sheet(
      2, [&](Canvas& canvas, Rect area) { paint_table(canvas, table(), area, kDrawOptions); });
  EXPECT_GT(sheet.count(kDrawOptions.palette.baseline), 20U);
  EXPECT_GT(sheet.count(kDrawOptions.palette.adaptive), 20U);
  EXPECT_GT(sheet.count(kDrawOptions.palette.muted), 50U);
}

TEST(TablePainter, SaysWhatRoomItTakes) {
  const Sheet sheet(1, [&](Canvas& canvas, Rect area) {
    const TableSize size = table_size(canvas, table(), area.width, kDrawOptions);
    EXPECT_GT(size.width, 100);
    EXPECT_LT(size.width, area.width);
    Table longer = table();
    longer.rows.push_back(longer.rows.front());
    EXPECT_GT(table_size(canvas, longer, area.width, kDrawOptions).height, size.height);
  });
}

TEST(Figures, AreTheSameBytesEachTimeAndShowWhatIsSeen) {
  Figure figure;
  figure.title = "Everything";
  figure.fields = {field()};
  figure.plots = {line_plot({0, 10}, {1, 9})};
  figure.tables = {table()};
  const SheetSize size = {800 * kUnit, 600 * kUnit, 9.75, 96};
  const std::string bytes = png_bytes(figure, size, kDrawOptions);
  EXPECT_EQ(png_bytes(figure, size, kDrawOptions), bytes);
  figure.sentence =
      "A sentence that says what is seen, long enough that it does not fit on one line "
      "of a picture of this width and is broken at a space.";
  EXPECT_NE(png_bytes(figure, size, kDrawOptions), bytes);
  EXPECT_NO_THROW(png_bytes(Figure(), size, kDrawOptions));
}

}  // namespace
}  // namespace dispersion
