// How large figures become in every style.

#include "app/export/style.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <stdexcept>
#include <string>

#include "app/export/figure_painter.h"
#include "app/export/svg_canvas.h"
#include "tests/core/temporary_folder.h"
#include "tests/export/sample_figure.h"
#include "tests/export/tools.h"

namespace dispersion {
namespace {

SheetSize sheet(const Figure& figure, const char* style, const SizeRequest& request = {}) {
  return sheet_for(figure, style_named(style), request, style_named(style).draw);
}

TEST(Style, OfPaperIsOneColumnOrTwo) {
  EXPECT_EQ(sheet(one_plot(), "paper").width_mm, 84);
  EXPECT_EQ(sheet(sample_figure(), "paper").width_mm, 174);
  EXPECT_EQ(sheet(one_plot(), "paper").text_points, 8);
  EXPECT_LT(sheet(one_plot(), "paper").height_mm, 84);
}

// The widths as the venues' styles and LaTeX's classes have them: 72.27 points are an inch.
TEST(Style, OfAVenueIsAsWideAsItsColumnOrItsText) {
  EXPECT_NEAR(sheet(one_plot(), "icml").width_mm / 25.4, 3.25, 1e-9);
  EXPECT_NEAR(sheet(sample_figure(), "icml").width_mm / 25.4, 6.75, 1e-9);
  EXPECT_NEAR(sheet(one_plot(), "neurips").width_mm / 25.4, 5.5, 1e-9);
  EXPECT_NEAR(sheet(one_plot(), "iclr").width_mm / 25.4, 5.5, 1e-9);
  EXPECT_NEAR(sheet(one_plot(), "twocolumn").width_mm * 72.27 / 25.4, 229.5, 1e-9);
  EXPECT_NEAR(sheet(sample_figure(), "twocolumn").width_mm * 72.27 / 25.4, 469, 1e-9);
  EXPECT_NEAR(sheet(one_plot(), "a4").width_mm * 72.27 / 25.4, 345, 1e-9);
  const SheetSize frame = sheet(one_plot(), "beamer");
  EXPECT_EQ(frame.width_mm, 140);
  EXPECT_EQ(frame.height_mm, 70);
}

// The file holds the state of the window; on the sheet it would be a page of letters.
TEST(Style, OfAFigureIsTheSameWithAStateInItsFile) {
  Figure figure = one_plot();
  const double height = sheet(figure, "default").height_mm;
  figure.provenance.emplace_back("state", std::string(2000, 'x'));
  EXPECT_EQ(sheet(figure, "default").height_mm, height);
  figure.provenance.emplace_back("A state", std::string(2000, 'x'));  // of a comparison
  EXPECT_EQ(sheet(figure, "default").height_mm, height);
  figure.provenance.back().first = "remark";  // the control
  EXPECT_GT(sheet(figure, "default").height_mm, height);
}

TEST(Style, WritesInTheSizeThatIsAskedFor) {
  SizeRequest request;
  request.text_points = 11;
  const SheetSize large = sheet(one_plot(), "paper", request);
  EXPECT_EQ(large.text_points, 11);
  EXPECT_GT(large.height_mm, sheet(one_plot(), "paper").height_mm);
}

TEST(Style, OfASlideKeepsItsFormAndWritesSmallerWhereItMust) {
  const SheetSize small = sheet(one_plot(), "slide");
  EXPECT_EQ(small.text_points, 16);
  const SheetSize large = sheet(sample_figure(), "slide");
  EXPECT_LT(large.text_points, 16);
  for (const SheetSize& size : {small, large}) {
    EXPECT_NEAR(size.width_mm / size.height_mm, 16.0 / 9, 1e-9);
    EXPECT_EQ(std::round(size.width_mm / 25.4 * size.pixels_per_inch), 1920);
    EXPECT_EQ(std::round(size.height_mm / 25.4 * size.pixels_per_inch), 1080);
  }
}

TEST(Style, OfGivenWidthWritesATableThatIsTooWideSmaller) {
  Figure figure;
  Table table;
  table.headings.assign(40, "123.4 ± 5.6");
  figure.tables = {table};
  const SheetSize poster = sheet(figure, "poster");
  EXPECT_EQ(poster.width_mm, 500);
  EXPECT_LT(poster.text_points, 24);
  EXPECT_EQ(sheet(figure, "paper").width_mm, 174);
  SizeRequest request;
  request.width_mm = 500;
  EXPECT_EQ(sheet(figure, "poster", request).text_points, poster.text_points);
  // But letters that are asked for have their size,
  request = {};
  request.text_points = 24;
  EXPECT_GT(sheet(figure, "poster", request).width_mm, 600);
  // and less than the style is wide is refused.
  request = {};
  request.width_mm = 400;
  EXPECT_THROW(sheet(figure, "poster", request), std::invalid_argument);
}

// Viewers round up: 338.667 mm at 144 dpi came out as 1921 pixels.
TEST(Style, SvgOfASlideIsNotAPixelTooWide) {
  const SheetSize size = sheet(one_plot(), "slide");
  const std::string svg = svg_bytes(one_plot(), size, style_named("slide").draw);
  std::smatch found;
  ASSERT_TRUE(
      std::regex_search(svg, found, std::regex(" width=\"([0-9.]+)mm\" height=\"([0-9.]+)mm")));
  EXPECT_EQ(std::ceil(std::stod(found[1]) / 25.4 * 144), 1920);
  EXPECT_EQ(std::ceil(std::stod(found[2]) / 25.4 * 144), 1080);
  EXPECT_NEAR(std::stod(found[1]), size.width_mm, 1e-5);
}

TEST(Style, GivesTheWidthThatIsAskedForToThePixel) {
  const TemporaryFolder folder;
  for (const double width : {777.0, 1001.0, 2048.0}) {
    for (const double dpi : {72.0, 96.0, 254.0}) {
      const Style& style = style_named("default");
      SizeRequest request;
      request.width_pixels = width;
      request.pixels_per_inch = dpi;
      try {
        const SheetSize size = sheet_for(one_plot(), style, request, style.draw);
        write_bytes(folder / "a.png", png_bytes(one_plot(), size, style.draw));
        EXPECT_EQ(read_png(folder / "a.png").width, width) << dpi;
      } catch (const std::invalid_argument&) {
        EXPECT_LT(width / dpi, 4);  // inches: too narrow for letters of that size
      }
    }
  }
}

TEST(Style, RefusesAWidthThatIsTooNarrowAndSaysWhatIsNeeded) {
  SizeRequest request;
  request.width_mm = 20;
  const std::string text =
      error_text<std::invalid_argument>([&] { sheet(sample_figure(), "paper", request); });
  EXPECT_TRUE(contains(text, "a width of 20 mm is too narrow")) << text;
  EXPECT_TRUE(contains(text, "it needs")) << text;
  EXPECT_TRUE(contains(error_text<std::invalid_argument>([] { style_named("fancy"); }),
                       "no style 'fancy'; there are default, paper, slide, poster, icml"));
}

TEST(Style, MakesRoomForEveryPart) {
  // Taller with a longer legend, with a table, with a second strip of frames.
  Figure figure = one_plot();
  const double plain = sheet(figure, "paper").height_mm;
  for (int i = 0; i < 6; ++i)
    figure.plots[0].series.push_back(figure.plots[0].series[0]);
  const double with_legend = sheet(figure, "paper").height_mm;
  EXPECT_GT(with_legend, plain + 5);
  figure.tables = sample_figure().tables;
  EXPECT_GT(sheet(figure, "paper").height_mm, with_legend + 15);
  Figure frames;
  frames.grids = sample_figure().grids;
  const double both = sheet(frames, "paper").height_mm;
  frames.grids[0].strips.pop_back();
  EXPECT_LT(sheet(frames, "paper").height_mm, both - 30);
}

// The height was that of two plots beside one another, and then they stood in rows, far too flat.
TEST(Style, PlotsAreNotFlatterThanTheyLike) {
  Figure figure = one_plot();
  for (int i = 0; i < 50; ++i)
    figure.plots[0].subtitle += "word ";
  figure.plots.resize(3, figure.plots[0]);
  figure.tables = sample_figure().tables;
  figure.tables[0].subtitle = Statement::naming(std::string(60, 'w'));  // too wide for a column
  for (double width = 450; width < 800; width += 25) {
    SizeRequest request;
    request.width_mm = width;
    const Style& style = style_named("poster");
    const SheetSize size = sheet_for(figure, style, request, style.draw);
    const Typeface typeface;
    SvgCanvas canvas(typeface);
    paint_figure(canvas, figure, {0, 0, size.width(), size.height()}, style.draw);
    const std::string svg(canvas.elements());
    // What is inside the axes of each plot is clipped to them.
    const std::regex clip("<clipPath[^>]*><rect [^>]*width=\"([0-9.]+)\" height=\"([0-9.]+)\"");
    int plots = 0;
    for (std::sregex_iterator found(svg.begin(), svg.end(), clip), end; found != end; ++found) {
      EXPECT_GT(std::stod((*found)[2]) / std::stod((*found)[1]), 0.2) << width;
      ++plots;
    }
    EXPECT_EQ(plots, 3) << width;
  }
}

}  // namespace
}  // namespace dispersion
