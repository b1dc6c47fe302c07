// The numbers of a figure as CSV, JSON, LaTeX and Markdown.

#include <gtest/gtest.h>

#include <charconv>
#include <limits>
#include <locale>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/export/figure_data.h"
#include "core/figure/zoom.h"
#include "tests/core/temporary_folder.h"
#include "tests/export/sample_figure.h"

namespace dispersion {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Fields of the lines after the comments, as RFC 4180 has them.
std::vector<std::vector<std::string>> parse_csv(const std::string& csv) {
  std::vector<std::vector<std::string>> lines;
  std::istringstream in(csv);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#")) continue;
    std::vector<std::string> fields(1);
    bool in_quotes = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '"') {
        const bool doubled = in_quotes && i + 1 < line.size() && line[i + 1] == '"';
        if (doubled) fields.back() += line[++i];
        if (!doubled) in_quotes = !in_quotes;
      } else if (line[i] == ',' && !in_quotes) {
        fields.emplace_back();
      } else {
        fields.back() += line[i];
      }
    }
    lines.push_back(fields);
  }
  return lines;
}

double read(const std::string& text) {
  double value = kNaN;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

TEST(Csv, IsOneTidyTableThatBringsEveryNumberBack) {
  Figure figure = sample_figure();
  figure.plots[0].series[0].y = {1.0 / 3, 5e-324, 1.7976931348623157e308, kNaN};
  const auto lines = parse_csv(figure_csv(figure));
  ASSERT_EQ(lines.front().size(), 13U);
  EXPECT_EQ(lines.front()[6], "x");
  std::size_t cells = 0, samples = 0, bars = 0, entries = 0;
  std::vector<double> y;
  for (const auto& line : lines) {
    ASSERT_EQ(line.size(), 13U);
    cells += line[0] == "cell";
    samples += line[0] == "sample";
    bars += line[0] == "bar";
    entries += line[0] == "entry";
    if (line[0] == "point" && line[1] == "Curves & bars" && line[2] == "softmax")
      y.push_back(read(line[8]));
  }
  EXPECT_EQ(cells, 120U);
  EXPECT_EQ(samples, 12U);
  EXPECT_EQ(bars, 3U);
  EXPECT_EQ(entries, 4U);
  ASSERT_EQ(y.size(), 5U);
  EXPECT_EQ(y[4], 1e-300);  // which the plot leaves out
  EXPECT_EQ(y[0], 1.0 / 3);
  EXPECT_EQ(y[1], 5e-324);
  EXPECT_EQ(y[2], 1.7976931348623157e308);
  EXPECT_TRUE(std::isnan(y[3]));
  EXPECT_EQ(lines.back()[2], "a & b_c, \"d\"");
  EXPECT_TRUE(contains(figure_csv(figure), "# seed: 1\n"));
}

// So that whoever reads a curve has it whole without sorting.
TEST(Csv, PutsWhatIsNotShownInItsPlaceAlongTheCurve) {
  Figure figure;
  LinePlot plot;
  const auto curve = [](std::string name, std::vector<double> x) {
    Series series;
    series.name = std::move(name);
    series.y = series.x = std::move(x);
    return series;
  };
  plot.x.high = plot.y.high = 10;
  plot.series = {curve("a", {2, 3, 3, 8}), curve("whole", {5, 1}), curve("b", {4, kNaN, 6})};
  plot.unseen = {curve("nothing", {7, 9}), curve("b", {1, 5, 7}), curve("a", {1, 3, 5, 5, 9})};
  figure.plots = {plot};
  std::vector<std::string> read;
  for (const auto& line : parse_csv(figure_csv(figure))) {
    if (line[0] != "point") continue;
    EXPECT_EQ(line[6], line[8]);
    EXPECT_TRUE(line[12].empty() || line[12] == "not shown") << line[12];
    read.push_back(line[2] + " " + line[6] + (line[12].empty() ? "" : " -"));
  }
  EXPECT_EQ(read,
            (std::vector<std::string>{"a 1 -", "a 2", "a 3", "a 3", "a 3 -", "a 5 -", "a 5 -",
                                      "a 8", "a 9 -", "whole 5", "whole 1", "b 1 -", "b 4", "b ",
                                      "b 5 -", "b 6", "b 7 -", "nothing 7 -", "nothing 9 -"}));
}

TEST(Csv, TellsWhatLiesOutsideOfWhatIsLookedAt) {
  Figure figure = sample_figure();
  const LinePlot& plot = figure.plots[0];
  const FieldPlot& field = figure.fields[0];
  const auto not_shown = [](const Figure& shown, const std::string& kind) {
    int count = 0;
    for (const auto& line : parse_csv(figure_csv(shown)))
      count += line[0] == kind && line[12] == "not shown" ? 1 : 0;
    return count;
  };
  const int before = not_shown(figure, "point");
  FigureZoom zoom;
  set_limits(zoom, plot.title, AxisSide::kY, plot.y, AxisLimits{plot.y.low, plot.y.low + 1e-3});
  EXPECT_GT(not_shown(zoomed(figure, zoom), "point"), before);
  EXPECT_EQ(not_shown(figure, "sample"), 0);
  set_limits(zoom, field.title, AxisSide::kX, field.x, limits_between(field.x, 0, 0.4));
  EXPECT_GT(not_shown(zoomed(figure, zoom), "sample"), 0);
  FigureZoom hiding;
  toggle_series(hiding, plot.title, plot.series[0].name);
  EXPECT_GE(not_shown(zoomed(figure, hiding), "point"), static_cast<int>(plot.series[0].x.size()));
  // A figure as it is comes back from a file as it is, and a zoomed one zoomed.
  EXPECT_EQ(figure_json(figure).find("hidden"), std::string::npos);
  const Figure shown = zoomed(zoomed(figure, zoom), hiding);
  const std::string json = figure_json(shown);
  const auto again = read_figure_json("figure.json", json);
  ASSERT_TRUE(again);
  EXPECT_EQ(figure_json(*again), json);
  EXPECT_TRUE(again->plots[0].series[0].hidden);
  EXPECT_EQ(again->fields[0].x.high, shown.fields[0].x.high);
}

TEST(Csv, HasPlainSpacesInThePlaceOfThinOnes) {
  Figure figure;
  figure.title = "1\u2009024 items";
  figure.sentence = "At n = 1\u2009024.";
  figure.provenance = {{"checkpoint", "a\u2009b"}};  // a name of a file is what it is
  figure.tables = {{.title = "4\u2009096 sets",
                    .subtitle = "",
                    .headings = {"n", "1\u2009024"},
                    .rows = {{{.text = "p"}, {.text = "12\u2009345.7"}}},
                    .notes = {}}};
  const std::string csv = figure_csv(figure);
  EXPECT_TRUE(
      csv.starts_with("# title: 1 024 items\n# sentence: At n = 1 024.\n"
                      "# checkpoint: a\u2009b\n"))
      << csv;
  EXPECT_TRUE(csv.ends_with("\nentry,4 096 sets,p,1 024,0,1,,,,,,,12 345.7\n")) << csv;
}

TEST(Csv, HasTheNumbersThatATableShows) {
  Figure figure = sample_figure();
  figure.grids.clear();
  figure.plots.clear();
  figure.fields.clear();
  // Where rows and not columns are numbers of items.
  Table turned = {.title = "Turned",
                  .subtitle = "",
                  .headings = {"n", "share"},
                  .rows = {{{.text = "4 096", .value = 4096}, {.text = "1·10⁻⁷", .value = 1e-7}}},
                  .notes = {}};
  figure.tables.push_back(turned);
  const auto lines = parse_csv(figure_csv(figure));
  ASSERT_EQ(lines.size(), 6U);
  using Fields = std::vector<std::string>;
  const auto numbers = [&](std::size_t line) {  // x, y_low, y_high, value
    const Fields& fields = lines[line];
    return Fields{fields[6], fields[9], fields[10], fields[11]};
  };
  EXPECT_EQ(numbers(1), (Fields{"16", "98.4603", "98.6825", "98.5714"}));
  EXPECT_EQ(lines[1].back(), "98.6 ± 0.1");
  EXPECT_EQ(numbers(2), (Fields{"1024", "", "", lines[2][11]}));
  EXPECT_EQ(read(lines[2][11]), 100 * (0.1 + 0.438));
  EXPECT_EQ(numbers(3), (Fields{"16", "", "", ""}));
  EXPECT_EQ(numbers(5), (Fields{"4096", "", "", "1e-07"}));
}

TEST(Json, HoldsTheWholeFigureAndBringsEveryFloatBack) {
  const Figure figure = sample_figure();
  const nlohmann::json json = nlohmann::json::parse(figure_json(figure));
  EXPECT_EQ(json["title"], figure.title.text());
  EXPECT_EQ(json["sentence"], figure.sentence.text());
  EXPECT_EQ(json["provenance"]["step"], "100000");
  const auto& values = json["grids"][0]["strips"][1]["frames"][2]["values"];
  const std::vector<float>& expected = figure.grids[0].strips[1].frames[2].values;
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(values[i].get<float>(), expected[i]);
  EXPECT_EQ(json["plots"][0]["series"][0]["y"].get<std::vector<double>>(),
            figure.plots[0].series[0].y);
  EXPECT_TRUE(json["fields"][0]["values"][5].is_null());  // not known
  EXPECT_EQ(json["fields"][0]["x"]["ticks"][1]["label"], figure.fields[0].x.ticks[1].label);
  const auto& row = json["tables"][0]["rows"][0];
  EXPECT_EQ(row[2]["strong"], true);
  EXPECT_EQ(row[2]["value"].get<double>(), 100 * (0.1 + 0.438));
  EXPECT_EQ(row[1]["high"].get<double>(), 98.6825);
  EXPECT_TRUE(row[2]["high"].is_null());
  EXPECT_EQ(json["tables"][0]["heading_values"].dump(), "[null,16.0,1024.0]");
  // No more digits than a float has: 0.1F is 0.1.
  EXPECT_TRUE(contains(figure_json(figure), "0.1,0.2,"));
}

TEST(Data, Behaviour24_IsTheSameInAnyLocale) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  for (const auto make : {figure_csv, figure_json, figure_tex, figure_markdown}) {
    const std::string plain = make(sample_figure());
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
    EXPECT_EQ(make(sample_figure()), plain);
    std::locale::global(before);
  }
}

TEST(Tex, EscapesWhatLatexTakesForItsOwn) {
  const std::string tex = figure_tex(sample_figure());
  for (const char* part : {"\\begin{tabular}{@{}lrr@{}}", "map & 16 & 1 024 \\\\",
                           "softmax & 98.6 $\\pm$ 0.1 & \\textbf{53.8} \\\\",
                           "a \\& b\\_c, \"d\" & -- & 100 \\% \\\\", "\\bottomrule", "% seed: 1\n"})
    EXPECT_TRUE(contains(tex, part)) << part << "\n" << tex;
}

TEST(Tex, AnExponentIsOneAndATableIsNumberedOnce) {
  Figure figure;
  figure.tables = {{.title = "Table 1",
                    .subtitle = "accuracy",
                    .headings = {"p"},
                    .rows = {{{.text = "<10⁻¹²"}}},
                    .notes = {}}};
  const std::string tex = figure_tex(figure);
  EXPECT_TRUE(contains(tex, "$<$10$^{-12}$ \\\\")) << tex;
  EXPECT_TRUE(contains(tex, "\\caption{Accuracy.}")) << tex;
  figure.tables[0].title = "This head";
  EXPECT_TRUE(contains(figure_tex(figure), "\\caption{This head: accuracy.}"));
}

// [rows] of how many cells each has: "&" that is not escaped, and one more.
std::vector<std::size_t> cells_of_rows(const std::string& tex) {
  std::vector<std::size_t> counts;
  std::istringstream in(tex);
  for (std::string line; std::getline(in, line);) {
    if (!line.ends_with(" \\\\")) continue;
    std::size_t count = 1;
    for (std::size_t i = 1; i < line.size(); ++i)
      count += line[i] == '&' && line[i - 1] != '\\';
    counts.push_back(count);
  }
  return counts;
}

Figure table_of(std::size_t columns, const std::string& cell) {
  Table table = {.title = "Title",
                 .subtitle = "subtitle",
                 .headings = std::vector<std::string>(columns, "n"),
                 .rows = {{{.text = "a ± name"}}, {{.text = "short"}}},
                 .notes = {}};
  table.rows[0].resize(columns, {.text = cell, .strong = true});
  Figure figure;
  figure.name = "some-figure";
  figure.tables = {table, table};
  return figure;
}

TEST(Tex, HasCaptionLabelAndRowsOfOneLength) {
  const std::string tex = figure_tex(table_of(4, "1 ± 2"));
  EXPECT_EQ(cells_of_rows(tex), std::vector<std::size_t>(6, 4));
  EXPECT_TRUE(contains(tex, "\\begin{table}\n")) << tex;
  EXPECT_TRUE(contains(tex, "\\caption{Title: subtitle.}\n  \\label{tab:some-figure}\n")) << tex;
  EXPECT_TRUE(contains(tex, "\\label{tab:some-figure-2}\n")) << tex;
}

TEST(Tex, APartHasALabelOfItsOwn) {
  Figure figure = table_of(4, "1");
  for (Table& table : figure.tables)
    table.is_part = true;
  EXPECT_TRUE(contains(figure_tex(figure), "\\label{tab:some-figure-main}\n"));
  EXPECT_TRUE(contains(figure_tex(figure), "\\label{tab:some-figure-2-main}\n"));
}

TEST(Tex, AWideTableTakesThePageAndAWiderOneTwoLinesForAnInterval) {
  const std::string page = figure_tex(table_of(9, "1 ± 2"));
  EXPECT_TRUE(contains(page, "\\begin{table*}\n")) << page;
  EXPECT_TRUE(contains(page, "\\end{table*}\n")) << page;
  EXPECT_EQ(cells_of_rows(page), std::vector<std::size_t>(6, 9));
  EXPECT_FALSE(contains(page, "resizebox"));
  const std::string wide = figure_tex(table_of(12, "99.0 ± 0.2"));
  EXPECT_TRUE(wide.starts_with("% needs \\usepackage{booktabs,graphicx}\n"));
  EXPECT_TRUE(contains(wide, "\\linewidth\\else\\width\\fi}{!}{\\begin{tabular}")) << wide;
  EXPECT_TRUE(contains(wide, "\\end{tabular}}\n")) << wide;
  EXPECT_EQ(cells_of_rows(wide), std::vector<std::size_t>(8, 12));
  EXPECT_TRUE(contains(wide, "    a $\\pm$ name & \\textbf{99.0} & ")) << wide;
  EXPECT_TRUE(contains(wide, "     & \\textbf{\\boldmath $\\pm$ 0.2} & ")) << wide;
}

TEST(Tex, SeparatesTheMainRows) {
  Figure figure = table_of(2, "1");
  figure.tables.pop_back();
  EXPECT_FALSE(contains(figure_tex(figure), "\\midrule\n    short"));
  figure.tables[0].main_rows = 1;
  EXPECT_TRUE(contains(figure_tex(figure), "\\midrule\n    short"));
}

TEST(Markdown, IsAPipeTable) {
  const std::string text = figure_markdown(sample_figure());
  for (const char* part :
       {"| map | 16 | 1 024 |\n| :--- | ---: | ---: |\n", "| softmax | 98.6 ± 0.1 | **53.8** |\n",
        "| a & b\\_c, \"d\" | – | 100 % |"})
    EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
}

TEST(Tables, AreNeededForTexAndMarkdown) {
  EXPECT_THROW(figure_tex(Figure()), std::invalid_argument);
  EXPECT_THROW(figure_markdown(Figure()), std::invalid_argument);
}

TEST(Data, OfAnEmptyFigureIsItsFrame) {
  EXPECT_EQ(figure_csv(Figure()),
            "kind,part,name,frame,row,column,x,x_to,y,y_low,y_high,value,text\n");
  EXPECT_TRUE(nlohmann::json::parse(figure_json(Figure()))["plots"].empty());
}

}  // namespace
}  // namespace dispersion
