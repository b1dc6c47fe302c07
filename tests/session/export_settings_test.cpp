// From the fields of the export dialog to options, without a window.

#include "app/session/export_settings.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/export/style.h"
#include "app/session/export_worker.h"

namespace dispersion {
namespace {

Figure with_table() {
  Figure figure;
  figure.name = "table";
  figure.tables.push_back({"", "", {"n"}, {{{"16"}}}, {}});
  return figure;
}

std::string path_error(const std::string& path) {
  ExportSettings settings;
  settings.path = path;
  try {
    return "taken: " + export_path(settings).string();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(ExportSettings, OnlyFiguresWithATableBecomeTeX) {
  FigureSnapshot shown = {"", std::make_shared<const Figure>(), false, {}};
  EXPECT_EQ(export_formats(shown).size(), 5U);
  shown.figure = std::make_shared<const Figure>(with_table());
  const std::vector<const FigureFormat*> formats = export_formats(shown);
  EXPECT_EQ(formats.size(), 7U);
  EXPECT_EQ(formats.back(), &figure_format("md"));
}

TEST(ExportSettings, TheRowsOfATableAreTheStylesOrAsSet) {
  Figure figure = with_table();
  EXPECT_FALSE(has_main_rows(figure));
  figure.tables[0].rows.push_back({{"32"}});
  figure.tables[0].main_rows = 2;
  EXPECT_FALSE(has_main_rows(figure));
  figure.tables[0].main_rows = 1;
  EXPECT_TRUE(has_main_rows(figure));
  ExportSettings settings;
  EXPECT_TRUE(export_render_options(settings, {}).draw.all_rows);
  use_style(settings, "slide");
  EXPECT_FALSE(export_render_options(settings, {}).draw.all_rows);
  settings.all_rows = true;
  EXPECT_EQ(style_arguments(export_render_options(settings, {})), "--style slide --rows all");
}

TEST(ExportSettings, OnlyWhatMovesBecomesAnAnimation) {
  FigureSnapshot shown = {"", std::make_shared<const Figure>(), false, {}};
  shown.frames = std::make_shared<const std::vector<Figure>>(3);
  std::vector<const FigureFormat*> expected;
  for (const char* ending : {"png", "svg", "pdf", "csv", "json", "gif", "apng"})
    expected.push_back(&figure_format(ending));
  EXPECT_EQ(export_formats(shown), expected);
  EXPECT_EQ(format_of_ending("~/a.GIF"), &figure_format("gif"));
  EXPECT_EQ(format_of_ending("~/a.apng"), &figure_format("apng"));
  EXPECT_EQ(format_of_ending("~/a.png"), &figure_format("png"));
  ExportSettings settings;
  settings.path = "/a/b.pdf";
  use_format(settings, figure_format("gif"));
  EXPECT_EQ(settings.path, "/a/b.gif");
  EXPECT_EQ(export_path(settings), "/a/b.gif");
  use_format(settings, figure_format("pdf"));
  EXPECT_EQ(settings.path, "/a/b.pdf");
}

TEST(ExportSettings, EachKindOfFormatKeepsItsLook) {
  ExportSettings settings;
  use_style(settings, "paper");
  settings.text_points = 7;
  const ExportLook of_vectors = settings;
  use_format(settings, figure_format("svg"));  // of the same kind
  EXPECT_TRUE(static_cast<const ExportLook&>(settings) == of_vectors);
  // Whatever was set before, an animation begins as a slide.
  use_format(settings, figure_format("gif"));
  ExportLook slide;
  use_style(slide, "slide");
  EXPECT_TRUE(static_cast<const ExportLook&>(settings) == slide);
  settings.width = 640;
  settings.unit = LengthUnit::kPixels;
  const ExportLook of_animations = settings;
  use_format(settings, figure_format("pdf"));
  EXPECT_TRUE(static_cast<const ExportLook&>(settings) == of_vectors);
  use_format(settings, figure_format("png"));  // not seen before
  EXPECT_TRUE(static_cast<const ExportLook&>(settings) == of_vectors);
  settings.pixels_per_inch = 99;
  use_format(settings, figure_format("apng"));
  EXPECT_TRUE(static_cast<const ExportLook&>(settings) == of_animations);
  use_format(settings, figure_format("svg"));
  EXPECT_FALSE(settings.pixels_per_inch);
  use_format(settings, figure_format("png"));
  EXPECT_EQ(settings.pixels_per_inch, 99);
}

// The switch of the dialog cuts a TeX table as `figure --rows main` does.
TEST(ExportSettings, ATableIsWrittenWithAllRowsOrTheMainOnes) {
  Figure figure;
  Table table;
  table.title = "t";
  table.headings = {"a"};
  table.rows = {{{"main row"}}, {{"further row"}}};
  table.main_rows = 1;
  figure.tables = {table};
  const FigureSnapshot shown = {"", std::make_shared<const Figure>(figure), false, {}};
  ExportSettings settings;
  use_style(settings, "slide");
  use_format(settings, figure_format("tex"));
  EXPECT_TRUE(settings.all_rows);
  const auto tex = [&] { return export_bytes({shown, settings.format, settings}); };
  EXPECT_NE(tex().find("further row"), std::string::npos);
  settings.all_rows = false;
  EXPECT_EQ(tex().find("further row"), std::string::npos);
  EXPECT_NE(tex().find("main row"), std::string::npos);
}

TEST(ExportSettings, AnAnimatedPngMayEndInPng) {
  EXPECT_TRUE(ending_fits("/a/b.PNG", figure_format("apng")));
  EXPECT_TRUE(ending_fits("/a/b.apng", figure_format("apng")));
  EXPECT_FALSE(ending_fits("/a/b.apng", figure_format("png")));
  EXPECT_FALSE(ending_fits("/a/b.gif", figure_format("apng")));
  ExportSettings settings;
  settings.format = &figure_format("apng");
  settings.path = "/a/b.png";
  EXPECT_EQ(export_path(settings), "/a/b.png");
  settings.path = "/a/b.pdf";
  EXPECT_EQ(export_path(settings), "/a/b.pdf.apng");
}

TEST(ExportSettings, AStyleSetsAnewWhatItHasAnOpinionOf) {
  ExportSettings settings;
  settings.width = 77;
  settings.text_points = 20;
  settings.pixels_per_inch = 99;
  settings.family = FontFamily::kSerif;
  settings.path = "~/x.pdf";
  use_style(settings, "paper");
  ExportSettings expected;
  expected.style = "paper";
  expected.theme = PrintTheme::kPrint;
  expected.title = false;
  expected.family = FontFamily::kSerif;
  expected.path = "~/x.pdf";
  EXPECT_TRUE(settings == expected);
}

TEST(ExportSettings, ThePathFollowsTheFormatAndTheFormatThePath) {
  ExportSettings settings;
  settings.path = "~/my.v2.pdf";
  use_format(settings, figure_format("svg"));
  EXPECT_EQ(settings.path, "~/my.v2.svg");
  settings.path = "~/my.v2";
  use_format(settings, figure_format("png"));
  EXPECT_EQ(settings.path, "~/my.v2");  // the ending of a name of one's own stays
  EXPECT_EQ(format_of_ending("/a/b.JSON"), &figure_format("json"));
  EXPECT_EQ(format_of_ending("/a.pdf/b"), nullptr);
}

TEST(ExportSettings, PathsOfAnyLettersAreTakenAndTheirEndingNeedNotBeTyped) {
  ::setenv("HOME", "/home/jürgen", 1);
  for (const auto& [typed, path] :
       {std::pair<std::string, std::string>{"~/ein Bild.pdf", "/home/jürgen/ein Bild.pdf"},
        {"/tmp/模型/🐨", "/tmp/模型/🐨.pdf"},
        {"/tmp/fig.v2", "/tmp/fig.v2.pdf"},
        {"/tmp/x.png", "/tmp/x.png.pdf"},
        {"/tmp/x.PDF", "/tmp/x.PDF"}}) {
    EXPECT_EQ(path_error(typed), "taken: " + path);
  }
  EXPECT_NE(path_error("").find("where the file goes"), std::string::npos);
  EXPECT_NE(path_error("figure.pdf").find("begin with / or with ~/"), std::string::npos);
  EXPECT_NE(path_error("~").find("begin with / or with ~/"), std::string::npos);
  EXPECT_NE(path_error("/tmp/").find("folder"), std::string::npos);
  ::unsetenv("HOME");
  EXPECT_NE(path_error("~/a.pdf").find("HOME"), std::string::npos);
}

TEST(ExportSettings, AWidthStaysAsWideInAnotherUnit) {
  ExportSettings settings;
  settings.pixels_per_inch = 254;
  use_unit(settings, LengthUnit::kPixels);
  EXPECT_FALSE(settings.width);
  settings.width = 1000;
  use_unit(settings, LengthUnit::kMillimetres);
  EXPECT_DOUBLE_EQ(*settings.width, 100);
  use_unit(settings, LengthUnit::kPixels);
  EXPECT_DOUBLE_EQ(*settings.width, 1000);
}

TEST(ExportSettings, ThePathStaysInItsFolder) {
  ExportSettings settings;
  EXPECT_EQ(suggested_path(settings, with_table()), "~/table.pdf");
  settings.path = "/data/paper/old name.svg";
  settings.format = &figure_format("svg");
  EXPECT_EQ(suggested_path(settings, with_table()), "/data/paper/table.svg");
  EXPECT_EQ(suggested_path(settings, Figure()), "/data/paper/figure.svg");
}

TEST(ExportSettings, StyleTheFigureAsTheCommandDoes) {
  ExportSettings settings;
  FigureSnapshot shown;
  const RenderOptions plain = export_render_options(settings, shown);
  EXPECT_EQ(plain.style->name, "default");
  EXPECT_EQ(plain.draw.palette.text, plain.style->draw.palette.text);
  EXPECT_EQ(plain.draw.margin, plain.style->draw.margin);
  EXPECT_FALSE(plain.size.width_mm || plain.size.width_pixels || plain.size.pixels_per_inch ||
               plain.size.text_points);
  use_style(settings, "slide");
  settings.width = 640;
  settings.unit = LengthUnit::kPixels;
  settings.pixels_per_inch = 72;
  settings.text_points = 12;
  settings.theme = PrintTheme::kDark;
  settings.family = FontFamily::kSerif;
  settings.transparent = true;
  settings.title = false;
  shown.surfaces = true;
  shown.view = {0.1, 0.2};
  const RenderOptions render_options = export_render_options(settings, shown);
  EXPECT_EQ(render_options.size.width_pixels, 640);
  EXPECT_FALSE(render_options.size.width_mm);
  EXPECT_EQ(render_options.size.pixels_per_inch, 72);
  EXPECT_EQ(render_options.size.text_points, 12);
  EXPECT_EQ(render_options.draw.palette.panel, kDarkPalette.panel);
  EXPECT_EQ(render_options.draw.family, FontFamily::kSerif);
  EXPECT_TRUE(render_options.draw.transparent);
  EXPECT_FALSE(render_options.draw.with_title || render_options.draw.with_sentence);
  EXPECT_TRUE(render_options.draw.surfaces && render_options.draw.view == rounded_view(shown.view));
}

}  // namespace
}  // namespace dispersion
