// How tables are painted, read out of the SVG.

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "app/export/style.h"
#include "core/figure/number_text.h"
#include "tests/core/temporary_folder.h"
#include "tests/export/sample_figure.h"

namespace dispersion {
namespace {

// As wide as Table 1 becomes: eleven sizes, means with intervals in bold.
Table wide_table() {
  Table table;
  table.title = "Table";
  table.headings = {"n"};
  for (int size = 16; size <= 16384; size *= 2)
    table.headings.push_back(grouped_text(size));
  for (const char* name : {"softmax", "adaptive θ − softmax", "adaptive θ, paper in ±"}) {
    table.rows.push_back({{.text = name}});
    for (std::size_t i = 1; i < table.headings.size(); ++i)
      table.rows.back().push_back({.text = "97.9 ± 0.6", .strong = true});
  }
  table.notes = {"first", "second"};
  table.main_rows = 2;
  table.main_notes = 1;
  return table;
}

Figure plot_above(const Table& table) {
  Figure figure = one_plot();
  figure.tables = {table};
  return figure;
}

// An attribute of every piece of text.
std::vector<double> of_texts(const std::string& svg, const std::string& attribute) {
  const std::regex element("<text [^>]*\\b" + attribute + "=\"([0-9.]+)\"");
  std::vector<double> values;
  for (std::sregex_iterator i(svg.begin(), svg.end(), element), end; i != end; ++i)
    values.push_back(std::stod((*i)[1]));
  return values;
}

TEST(TablePainter, FitsTable1IntoTwoColumnsOfAPaper) {
  Figure figure = plot_above(wide_table());
  const Style& paper = style_named("paper");
  for (const FontFamily family : {FontFamily::kSans, FontFamily::kSerif}) {
    DrawOptions options = paper.draw;
    options.family = family;
    const SheetSize size = sheet_for(figure, paper, {}, options);
    EXPECT_EQ(size.width_mm, 174);
    const double least = std::ranges::min(of_texts(svg_bytes(figure, size, options), "font-size")) /
                         13 * 8;  // points
    EXPECT_GE(least, 6.5);
    EXPECT_LT(least, 8) << "it is not as wide as it should be for this test";
  }
}

TEST(TablePainter, ShowsTheMainRowsOnASlideInLargerLetters) {
  Figure figure = plot_above(wide_table());
  for (int i = 0; i < 12; ++i)
    figure.tables[0].rows.push_back(figure.tables[0].rows.back());
  const Style& slide = style_named("slide");
  DrawOptions whole = slide.draw;
  whole.all_rows = true;
  const SheetSize few = sheet_for(figure, slide, {}, slide.draw);
  const SheetSize all = sheet_for(figure, slide, {}, whole);
  EXPECT_GT(few.text_points, 1.3 * all.text_points);
  const std::string svg = svg_bytes(figure, few, slide.draw);
  EXPECT_TRUE(contains(svg, ">adaptive θ − softmax<"));
  EXPECT_TRUE(contains(svg, ">first<"));
  EXPECT_FALSE(contains(svg, "paper in ±<"));
  EXPECT_FALSE(contains(svg, ">second<"));
  EXPECT_TRUE(contains(svg_bytes(figure, all, whole), "paper in ±<"));
}

TEST(TablePainter, EndsATableWhereItsSheetEnds) {
  // No blank below, and nothing cut: the lowest letters stand just above the margin.
  Figure figure;
  figure.tables = {wide_table()};
  for (const char* name : {"default", "paper", "poster"}) {
    const Style& style = style_named(name);
    DrawOptions options = style.draw;
    options.with_provenance = false;
    const SheetSize size = sheet_for(figure, style, {}, options);
    const double below = size.height() - options.margin -
                         std::ranges::max(of_texts(svg_bytes(figure, size, options), "y"));
    EXPECT_GE(below, 3) << name;
    EXPECT_LE(below, 12) << name;
  }
}

}  // namespace
}  // namespace dispersion
