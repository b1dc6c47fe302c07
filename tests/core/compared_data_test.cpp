// The numbers of two states side by side: in tables behind figures, and in the window's columns.

#include "core/figure/compared_data.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/figure/compared_values.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

LinePlot line(double first, double second) {
  LinePlot plot;
  plot.title = "Loss";
  plot.x = {.label = "n", .low = 0, .high = 10, .ticks = {}};
  plot.y = {.label = "y", .low = 0, .high = 10, .ticks = {}};
  Series series = line_series("loss", ColourRole::kBaseline);
  series.x = {1, 2};
  series.y = {first, second};
  plot.series = {series};
  return plot;
}

// Every set has this weight on its maximum, in the last column, and the rest on the others.
AttentionFrame frame(float most) {
  AttentionFrame frame;
  frame.items = frame.columns = 16;
  for (int set = 0; set < kFrameSets; ++set) {
    for (int column = 0; column < 16; ++column)
      frame.weights.push_back(column == 15 ? most : (1 - most) / 15);
  }
  frame.entropy.assign(kFrameSets, most < 0.5F ? 2.5F : 1.25F);
  frame.theta.assign(kFrameSets, 1);
  return frame;
}

std::vector<TransformFrames> softmax(float most) {
  return {{frame(most).transform, {frame(most)}}};
}

std::vector<std::string> headings(const DataTable& table) {
  std::vector<std::string> names;
  for (const DataColumn& column : table.columns)
    names.push_back(column.heading);
  return names;
}

TEST(ComparedData, OfCurvesHasColumnsOfBothAndTheDifferenceAtTheSameX) {
  LinePlot a = line(2, 4);
  const LinePlot b = line(1, 2);
  a.series[0].x[1] = 3;  // of another x than that of B
  const LinePlot plot = compared_plot(a, b);
  const DataTable table = compared_table(plot, true);
  EXPECT_EQ(headings(table),
            (std::vector<std::string>{"n", "loss, y", "A: loss, y", "B − A: loss, y"}));
  ASSERT_EQ(table.rows, 3U);  // 1, 2 and 3
  EXPECT_EQ(table.columns[3].values[0], -1);
  EXPECT_TRUE(std::isnan(table.columns[3].values[1]));
  EXPECT_TRUE(std::isnan(table.columns[3].values[2]));
  EXPECT_EQ(compared_table(plot, false).columns.size(), 3U);
  // What is known of the difference otherwise stands in its place, with its interval.
  LinePlot paired = line(3, 6);
  paired.series[0].low = {1, 2};
  paired.series[0].high = {5, 9};
  const DataTable counted = compared_table(plot, true, &paired);
  EXPECT_EQ(headings(counted)[3], "B − A: loss, y");
  EXPECT_EQ(counted.columns[3].values[1], 6);
  EXPECT_EQ(headings(counted)[5], "B − A: loss, high");
  EXPECT_EQ(counted.columns[5].values[1], 9);
  EXPECT_EQ(compared_table(b, true).columns.size(), 2U);  // nothing differs
}

TEST(ComparedData, OfHeatMapsHasTheWeightsOfBothCellByCell) {
  const ComparedGrids grids =
      compared_grids(softmax(0.25F), softmax(0.75F), ColourScale::kLinear, true);
  const DataTable table = compared_table(grids, true);
  ASSERT_EQ(table.rows, static_cast<std::size_t>(kFrameSets) * 16);
  ASSERT_EQ(headings(table).back(), "weight, B − A");
  const double a = static_cast<double>(grids.maps.strips[0].frames[0].values[15]);
  const double b = static_cast<double>(grids.maps.strips[1].frames[0].values[15]);
  EXPECT_EQ(table.columns[1].values[15], 16);
  EXPECT_EQ(table.columns[3].values[15], 1);  // the maximum
  EXPECT_EQ(table.columns[4].values[15], a);
  EXPECT_EQ(table.columns[5].values[15], b);
  EXPECT_EQ(table.columns[6].values[15], b - a);
  EXPECT_EQ(compared_table(grids, false).columns.size(), 6U);
  // Where both are the same, they have the same column; where A has none, it is empty.
  const DataTable same = compared_table(
      compared_grids(softmax(0.25F), softmax(0.25F), ColourScale::kLinear, true), true);
  EXPECT_EQ(same.columns[4].values[15], same.columns[5].values[15]);
  EXPECT_EQ(same.columns[6].values[15], 0);
  const DataTable alone =
      compared_table(compared_grids({}, softmax(0.25F), ColourScale::kLinear, true), true);
  EXPECT_TRUE(std::isnan(alone.columns[4].values[15]));
}

TEST(ComparedValues, StandSideBySideUnderTheirLabels) {
  const std::vector<NamedValue> a = {{"spread", "3", "3.25"}, {"only A", "1", "1"}};
  const std::vector<NamedValue> b = {{"spread", "4", "4.5"}, {"only B", "2", "2"}};
  const std::vector<ComparedValue> both = side_by_side(a, b);
  ASSERT_EQ(both.size(), 3U);
  EXPECT_EQ(both[0].a.text(), "3");
  EXPECT_EQ(both[0].exact_b, "4.5");
  EXPECT_FALSE(both[0].same());
  EXPECT_EQ(both[1].a.text(), "–");
  EXPECT_EQ(both[2].label, "only A");
  EXPECT_EQ(both[2].b.text(), "–");
  EXPECT_TRUE(side_by_side(a, a)[0].same());
}

TEST(ComparedValues, SayOnceWhatHoldsForBoth) {
  const std::vector<Statement> a = {"All are equal.", "H is 2.", "The gap shrinks."};
  const std::vector<Statement> b = {"H is 3.", "The gap shrinks.", "All are equal."};
  const ComparedText told = compared_text(a, b);
  EXPECT_EQ(told.both.text(), "The gap shrinks. All are equal.");
  EXPECT_EQ(told.a.text(), "H is 2.");
  EXPECT_EQ(told.b.text(), "H is 3.");
  EXPECT_TRUE(compared_text(a, a).a.empty());
  EXPECT_TRUE(compared_text({}, b).both.empty());
}

TEST(ComparedValues, OfACellHaveItsDifference) {
  const AttentionFrame a = frame(0.25F);
  const AttentionFrame b = frame(0.75F);
  const std::vector<ComparedValue> values = compared_weight_values(&a, &b, {2, 15});
  EXPECT_EQ(values[0].exact_difference, "0.5");
  EXPECT_EQ(values[0].difference.text(), "+0.5000");
  EXPECT_EQ(values[1].label, "entropy H");
  EXPECT_EQ(values[1].difference.text(), "−1.250");
  EXPECT_TRUE(compared_weight_values(nullptr, &b, {2, 15})[0].difference.empty());
}

}  // namespace
}  // namespace dispersion
