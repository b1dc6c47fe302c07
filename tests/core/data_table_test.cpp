// The numbers behind a figure as rows and columns.

#include "core/figure/data_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Series series(std::string name, std::vector<double> x, std::vector<double> y) {
  Series result;
  result.name = std::move(name);
  result.x = std::move(x);
  result.y = std::move(y);
  return result;
}

LinePlot two_curves() {
  LinePlot plot;
  plot.title = "Accuracy";
  plot.x.label = "number of items n";
  plot.y.label = "accuracy (%)";
  plot.series = {series("softmax", {16, 32, 64}, {98.5, 97.25, 1.0 / 3}),
                 series("adaptive", {32, 64, 128}, {99, 98, 97})};
  plot.series[0].low = {98, 97, 0.25};
  plot.series[0].high = {99, 98, 0.5};
  return plot;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields = {""};
  for (const char c : line) {
    if (c == '\t') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

TEST(DataTable, HasARowForEveryXAndAColumnForEveryCurveWithUnitAndInterval) {
  const DataTable table = data_table(two_curves());
  ASSERT_EQ(table.columns.size(), 5U);
  EXPECT_EQ(table.columns[0].heading, "number of items n");
  EXPECT_EQ(table.columns[1].heading, "softmax, accuracy (%)");
  EXPECT_EQ(table.columns[2].heading, "softmax, low");
  EXPECT_EQ(table.columns[3].heading, "softmax, high");
  EXPECT_EQ(table.columns[4].heading, "adaptive, accuracy (%)");
  ASSERT_EQ(table.rows, 4U);
  EXPECT_EQ(table.columns[0].values, (std::vector<double>{16, 32, 64, 128}));
  EXPECT_EQ(table.columns[1].values[1], 97.25);
  EXPECT_TRUE(std::isnan(table.columns[1].values[3]));
  EXPECT_TRUE(std::isnan(table.columns[4].values[0]));
  EXPECT_EQ(table.columns[4].values[3], 97);
}

TEST(DataTable, KeepsEveryPointOfACloudAndLeavesHiddenCurvesOut) {
  LinePlot plot = two_curves();
  plot.series = {series("points", {2, 1, 2, kNone, 2}, {5, 6, 7, 8, 9}),
                 series("hidden", {1}, {1})};
  plot.series[1].hidden = true;
  const DataTable table = data_table(plot);
  ASSERT_EQ(table.columns.size(), 2U);
  ASSERT_EQ(table.rows, 5U);
  EXPECT_EQ(table.columns[1].values, (std::vector<double>{6, 5, 7, 9, 8}));
}

TEST(DataTable, PutsPointsThatThePlotLeavesOutBackIntoTheirCurve) {
  LinePlot plot = two_curves();
  plot.unseen = {series("softmax", {8}, {0})};
  const DataTable table = data_table(plot);
  ASSERT_EQ(table.columns.size(), 5U);
  EXPECT_EQ(table.columns[0].values.front(), 8);
  EXPECT_EQ(table.columns[1].values.front(), 0);
  EXPECT_TRUE(std::isnan(table.columns[2].values.front()));
}

TEST(DataTable, BarsHaveBothEdges) {
  LinePlot plot;
  plot.x.label = "entropy H (nats)";
  plot.bars = {{.name = "sets", .edge = {0, 1, 2}, .height = {3, 4}}};
  const DataTable table = data_table(plot);
  ASSERT_EQ(table.rows, 2U);
  EXPECT_EQ(table.columns[0].heading, "entropy H (nats), from");
  EXPECT_EQ(table.columns[1].values[1], 2);
  EXPECT_EQ(table.columns[2].values[1], 4);
}

TEST(DataTable, SortsNumbersFirstAndEmptyCellsLastInBothDirections) {
  const DataTable table = data_table(two_curves());
  EXPECT_EQ(sorted_rows(table, 1, false), (std::vector<std::size_t>{2, 1, 0, 3}));
  EXPECT_EQ(sorted_rows(table, 1, true), (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(sorted_rows(table, 4, true), (std::vector<std::size_t>{1, 2, 3, 0}));
  EXPECT_EQ(sorted_rows(table, -1, true), (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(sorted_rows(table, 99, false).size(), 4U);
}

TEST(DataTable, TabSeparatedNumbersReadBackExactly) {
  const DataTable table = data_table(two_curves());
  const std::vector<std::size_t> rows = sorted_rows(table, 1, false);
  const std::vector<std::string> lines = lines_of(tab_separated(table, rows));
  ASSERT_EQ(lines.size(), 5U);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::vector<std::string> fields = fields_of(lines[r + 1]);
    ASSERT_EQ(fields.size(), table.columns.size());
    for (std::size_t c = 0; c < fields.size(); ++c) {
      const double value = table.columns[c].values[rows[r]];
      if (std::isnan(value)) {
        EXPECT_EQ(fields[c], "");
      } else {
        EXPECT_EQ(std::strtod(fields[c].c_str(), nullptr), value) << fields[c];
      }
    }
  }
}

TEST(DataTable, FieldsHaveARowPerSampleInTheDigitsOfAFloat) {
  FieldPlot plot;
  plot.x.label = "λ";
  plot.y.label = "θ";
  plot.value_label = "entropy (nats)";
  plot.x_value = {1, 2, 3};
  plot.y_value = {10, 20};
  plot.values = {0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F};
  const DataTable table = data_table(plot);
  ASSERT_EQ(table.rows, 6U);
  EXPECT_EQ(table.columns[1].values[3], 20);
  EXPECT_EQ(exact_text(table.columns[2], 0), "0.1");
  EXPECT_NE(fingerprint(plot), fingerprint(FieldPlot()));
  const std::uint64_t before = fingerprint(plot);
  EXPECT_EQ(fingerprint(plot), before);
  plot.values[5] = std::nextafter(0.6F, 1.0F);
  EXPECT_NE(fingerprint(plot), before);
}

TEST(DataTable, TablesGiveUnroundedNumbersAndTheirIntervals) {
  Table table;
  table.headings = {"", "16"};
  table.rows = {{{.text = "softmax"}, {.text = "98.6", .value = 98.625, .low = 98, .high = 99}},
                {{.text = "same sign"}, missing_cell()}};
  const DataTable data = data_table(table);
  ASSERT_EQ(data.columns.size(), 4U);
  EXPECT_EQ(exact_text(data.columns[1], 0), "98.625");
  EXPECT_EQ(data.columns[2].heading, "16, low");
  EXPECT_EQ(shown_text(data.columns[0], 1), "same sign");
  EXPECT_EQ(shown_text(data.columns[1], 1), "–");
}

TEST(DataTable, HeatMapsCountRanksFromTheMaximum) {
  HeatmapGrid grid;
  grid.frame_label = "number of items n";
  HeatmapStrip strip;
  strip.title = "softmax";
  Heatmap frame;
  frame.title = "1\u2009024";
  frame.rows = 2;
  frame.columns = 3;
  frame.values = {1, 2, 3, 4, 5, 6};
  strip.frames = {frame};
  grid.strips = {strip};
  const DataTable table = data_table(grid);
  ASSERT_EQ(table.rows, 6U);
  EXPECT_EQ(table.columns[1].values[0], 1024);
  EXPECT_EQ(table.columns[2].values[3], 2);  // set
  EXPECT_EQ(table.columns[3].values[2], 1);  // the rightmost is the maximum
  EXPECT_EQ(table.columns[4].values[5], 6);
}

TEST(NumberText, SpacesAroundSignsAndBeforeUnitsDoNotBreak) {
  EXPECT_EQ(kept_together("at n = 16 the entropy is 2.4 nats, at most 7.1·10⁻⁶ nats"),
            "at n\u00A0=\u00A016 the entropy is 2.4\u00A0nats, at most 7.1·10⁻⁶\u00A0nats");
  EXPECT_EQ(kept_together("35 % of 32 heads"), "35\u00A0% of 32 heads");
  EXPECT_EQ(kept_together(""), "");
  EXPECT_EQ(kept_together("nats alone"), "nats alone");
}

TEST(NumberText, WhatWasComputedHasTheDigitsOfSinglePrecision) {
  EXPECT_EQ(computed_number(0.2497421088446572), "0.2497421");
  EXPECT_EQ(computed_number(0.1F), "0.1");
  EXPECT_EQ(computed_number(-1.0 / 3), "-0.33333334");
  EXPECT_EQ(computed_number(0), "0");
  EXPECT_EQ(computed_number(123'456'789), "123456789");  // single precision has no such number
  EXPECT_EQ(computed_number(1.5e300), "1.5e+300");
  EXPECT_EQ(computed_number(1.5e-300), "1.5e-300");
}

TEST(NumberText, PowersOfTenAreWrittenInOneWay) {
  EXPECT_EQ(magnitude_text(7.1e-6), "7.1·10⁻⁶");
  EXPECT_EQ(significant_text(7.1e-6, 2), "7.1·10⁻⁶");
  EXPECT_EQ(magnitude_text(3.4e45), "3.4·10⁴⁵");
}

}  // namespace
}  // namespace dispersion
