
#include <gtest/gtest.h>

#include <limits>

#include "core/figure/plot_labels.h"

namespace dispersion {
namespace {

LinePlot plot(bool x_logarithmic, bool y_logarithmic) {
  LinePlot plot;
  plot.subtitle = "nats";
  plot.x = {.label = "x", .logarithmic = x_logarithmic, .low = 1, .high = 10, .ticks = {}};
  plot.y = {.label = "y", .logarithmic = y_logarithmic, .low = 1, .high = 10, .ticks = {}};
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  Series series;
  series.x = {0, 1, 2, 3, 4, kNaN};
  series.y = {1, 0, -2, kNaN, 5, 0};
  plot.series = {series, series};
  return plot;
}

TEST(HiddenPoints, Behaviour17_AreThoseThatALogarithmicAxisHasNoPlaceFor) {
  EXPECT_EQ(hidden_points(plot(false, false)), 0);
  EXPECT_EQ(hidden_points(plot(true, false)), 2);
  EXPECT_EQ(hidden_points(plot(false, true)), 4);
  EXPECT_EQ(hidden_points(plot(true, true)), 6);
  EXPECT_TRUE(has_place(plot(false, false), 0, -1));
  EXPECT_FALSE(has_place(plot(false, false), 0, std::numeric_limits<double>::infinity()));
}

TEST(HiddenPoints, AreCountedInTheSubtitle) {
  EXPECT_EQ(painted_subtitle(plot(false, false)).text(), "nats");
  EXPECT_EQ(painted_subtitle(plot(true, true)).text(), "nats; 6 points at 0 or below not shown");
  LinePlot one = plot(true, false);
  one.series.pop_back();
  one.subtitle = "";
  EXPECT_EQ(painted_subtitle(one).text(), "1 point at x 0 not shown");
  one.x.label = "training step (in thousands)";
  EXPECT_EQ(painted_subtitle(one).text(), "1 point at training step 0 not shown");
  EXPECT_EQ(painted_subtitle(plot(false, true)).text(), "nats; 4 points at y 0 or below not shown");
}

}  // namespace
}  // namespace dispersion
