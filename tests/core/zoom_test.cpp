// Wheel, drag and box on the axes of figures.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/figure/axis.h"
#include "core/figure/field_image.h"
#include "core/figure/zoom.h"

namespace dispersion {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Axis linear(double low, double high) {
  return {.label = "loss", .low = low, .high = high, .ticks = round_ticks(low, high)};
}

Axis logarithmic(double low, double high) {
  return {.label = "loss", .logarithmic = true, .low = low, .high = high, .ticks = {}};
}

LinePlot plot_of(Axis x, Axis y) {
  LinePlot plot;
  plot.title = "A plot";
  plot.x = std::move(x);
  plot.y = std::move(y);
  for (const char* name : {"first", "second"}) {
    Series series;
    series.name = name;
    series.x = {1, 2, 3};
    series.y = {1, 2, 3};
    plot.series.push_back(series);
  }
  return plot;
}

TEST(Zoom, TheWheelKeepsTheValueUnderThePointer) {
  for (const Axis& axis : {linear(-2, 6), logarithmic(1e-4, 1e4)}) {
    for (const double share : {0.0, 0.25, 0.9, 1.0}) {
      const auto near = magnified(axis, share, 2);
      ASSERT_TRUE(near);
      Axis shown = axis;
      shown.low = near->low;
      shown.high = near->high;
      const auto under = limits_between(axis, share, 2);
      ASSERT_TRUE(under);
      EXPECT_NEAR(axis_share(shown, under->low), share, 1e-12);
      const auto back = magnified(shown, share, 0.5);
      ASSERT_TRUE(back);
      EXPECT_NEAR(back->low, axis.low, 1e-9 * std::abs(axis.low));
      EXPECT_NEAR(back->high, axis.high, 1e-9 * std::abs(axis.high));
    }
  }
  EXPECT_EQ(magnified(linear(0, 8), 0.5, 2), (AxisLimits{2, 6}));
  const auto decade = magnified(logarithmic(1, 1e4), 0.5, 2);
  EXPECT_NEAR(decade->low, 10, 1e-10);
  EXPECT_NEAR(decade->high, 1000, 1e-8);
}

TEST(Zoom, ADragMovesTheAxisWithThePointer) {
  EXPECT_EQ(moved(linear(0, 10), 0.1), (AxisLimits{-1, 9}));
  const auto right = moved(logarithmic(1, 100), -0.5);
  EXPECT_NEAR(right->low, 10, 1e-12);
  EXPECT_NEAR(right->high, 1000, 1e-9);
}

TEST(Zoom, ABoxIsTheSameFromBothEnds) {
  EXPECT_EQ(limits_between(linear(0, 10), 0.2, 0.7), (AxisLimits{2, 7}));
  EXPECT_EQ(limits_between(linear(0, 10), 0.7, 0.2), limits_between(linear(0, 10), 0.2, 0.7));
  const auto box = limits_between(logarithmic(1, 1e4), 0.75, 0.25);
  EXPECT_NEAR(box->low, 10, 1e-12);
  EXPECT_NEAR(box->high, 1000, 1e-9);
}

TEST(Zoom, WhatIsNoAxisIsNotTaken) {
  const Axis axis = linear(0, 10);
  EXPECT_FALSE(limits_between(axis, 0.5, 0.5));
  EXPECT_FALSE(limits_between(axis, 0.5, 0.5 + 1e-14));
  EXPECT_FALSE(limits_between(axis, kNan, 1));
  EXPECT_FALSE(limits_between(axis, 0, kInfinity));
  EXPECT_FALSE(limits_between(linear(3, 3), 0, 1));
  EXPECT_FALSE(limits_between(linear(kNan, 3), 0, 1));
  EXPECT_FALSE(limits_between(logarithmic(0, 3), 0, 1));
  EXPECT_FALSE(magnified(axis, 0.5, 0));
  EXPECT_FALSE(magnified(axis, 0.5, -1));
  EXPECT_FALSE(magnified(axis, 0.5, kNan));
  EXPECT_FALSE(magnified(axis, 0.5, 1e-305));
  EXPECT_FALSE(limits_between(linear(-1e300, 1e300), -1, 2));
  EXPECT_FALSE(limits_between(logarithmic(1e-299, 1), -1, 2));
}

// However long somebody turns the wheel.
TEST(Zoom, NeverLeavesWhatAnAxisCanBe) {
  for (Axis axis : {linear(-2, 6), linear(1e6, 2e6), logarithmic(1e-4, 1e4)}) {
    for (const double factor : {1.7, 1 / 1.7}) {
      for (int i = 0; i < 5'000; ++i) {
        if (const auto limits = magnified(axis, 0.3, factor)) axis = with_limits(axis, *limits);
        ASSERT_TRUE(drawable(axis));
        ASSERT_LE(std::abs(axis.low), 1e300);
        ASSERT_LE(std::abs(axis.high), 1e300);
        ASSERT_LE(axis.ticks.size(), 60U);
      }
    }
  }
}

TEST(Zoom, TicksAreThoseOfTheLimits) {
  const Axis axis = linear(0, 10);
  EXPECT_EQ(with_limits(axis, {2, 7}).ticks.size(), 3U);  // 2, 4, 6
  const Axis near = with_limits(axis, {2.1, 2.2});
  EXPECT_GE(near.ticks.size(), 3U);
  for (const Tick& tick : near.ticks)
    EXPECT_TRUE(tick.value >= 2.1 && tick.value <= 2.2) << tick.value;
  const Axis far = with_limits(axis, {-100, 100});
  EXPECT_LT(far.ticks.front().value, -40);
  EXPECT_GT(far.ticks.back().value, 40);
  const Axis items = size_axis(16, 16384);
  const Axis few = with_limits(items, {60, 300});
  ASSERT_EQ(few.ticks.size(), 3U);
  EXPECT_EQ(few.ticks[0].label, "64");
  const Axis many = with_limits(items, {1, 1e6});
  EXPECT_EQ(many.ticks.front().value, 1);
  EXPECT_EQ(many.ticks.back().value, 524288);
  EXPECT_GE(with_limits(items, {1000, 1100}).ticks.size(), 3U);
  EXPECT_GE(with_limits(logarithmic(1e-4, 1e4), {0.1, 3}).ticks.size(), 3U);
  EXPECT_GE(with_limits(logarithmic(1e-4, 1e4), {1e-9, 3}).ticks.size(), 3U);
}

TEST(Zoom, AxesAreNeverOfNoWidth) {
  for (const double at : {0.0, 1.0, -1e300, 1e300, 1e-310, 1e17}) {
    for (const bool is_logarithmic : {false, true}) {
      Axis axis = linear(at, at);
      axis.logarithmic = is_logarithmic;
      EXPECT_TRUE(drawable(widened(axis))) << at;
      if (std::abs(at) < 1e300) {
        EXPECT_TRUE(limits_between(widened(axis), 0.2, 0.8)) << at;
      }
    }
  }
  EXPECT_TRUE(drawable(widened(linear(kNan, kNan))));
  EXPECT_TRUE(drawable(widened(linear(kInfinity, -kInfinity))));
  EXPECT_TRUE(drawable(widened(linear(2, 1))));
  const Axis good = logarithmic(1, 10);
  EXPECT_EQ(widened(good).low, 1);
  EXPECT_TRUE(widened(good).logarithmic);
}

TEST(Zoom, AxesOfItemsAreLinked) {
  Figure figure;
  figure.plots = {plot_of(size_axis(16, 1024), linear(0, 4)),
                  plot_of(size_axis(16, 16384), linear(0, 4)), plot_of(linear(0, 4), linear(0, 4)),
                  plot_of(logarithmic(1e40, 1e50), linear(0, 4))};
  figure.plots[1].title = "Another";
  figure.plots[2].title = "A third";
  figure.plots[3].title = "Far away";
  figure.plots[3].x.label = kItemsLabel;
  FigureZoom zoom;
  set_limits(zoom, "A plot", AxisSide::kX, figure.plots[0].x, AxisLimits{100, 300});
  set_limits(zoom, "A plot", AxisSide::kY, figure.plots[0].y, AxisLimits{1, 2});
  const Figure shown = zoomed(figure, zoom);
  EXPECT_EQ(shown.plots[0].x.low, 100);
  EXPECT_EQ(shown.plots[1].x.high, 300);
  EXPECT_EQ(shown.plots[2].x.high, 4);
  EXPECT_EQ(shown.plots[3].x.high, 1e50);  // nothing of it would be seen
  EXPECT_EQ(shown.plots[0].y.high, 2);
  EXPECT_EQ(shown.plots[1].y.high, 4);
  set_limits(zoom, "Another", AxisSide::kX, figure.plots[1].x, AxisLimits{1e6, 1e7});
  EXPECT_EQ(zoom.items, (AxisLimits{100, 300}));
  set_limits(zoom, "Another", AxisSide::kX, figure.plots[1].x, std::nullopt);
  EXPECT_EQ(zoomed(figure, zoom).plots[0].x.low, figure.plots[0].x.low);
}

TEST(Zoom, SeriesAreHiddenAndShownAgain) {
  const LinePlot plot = plot_of(linear(0, 4), linear(0, 4));
  FigureZoom zoom;
  toggle_series(zoom, plot.title, "second");
  const LinePlot shown = zoomed(plot, zoom);
  EXPECT_FALSE(shown.series[0].hidden);
  EXPECT_TRUE(shown.series[1].hidden);
  toggle_series(zoom, plot.title, "second");
  EXPECT_FALSE(zoomed(plot, zoom).series[1].hidden);
}

TEST(Zoom, OfAFieldOnlyWhatIsSeenBecomesPixels) {
  FieldPlot field;
  field.x = linear(0, 4);
  field.y = linear(0, 4);
  field.x_value = field.y_value = {0, 1, 2, 3, 4};
  field.values.assign(25, 0.5F);
  field.values[2 * 5 + 2] = 1;
  EXPECT_EQ(field_image(field).columns, 5);
  FigureZoom zoom;
  set_limits(zoom, "", AxisSide::kX, field.x, AxisLimits{1.9, 2.1});
  set_limits(zoom, "", AxisSide::kY, field.y, AxisLimits{1.9, 2.1});
  const FieldImage image = field_image(zoomed(field, zoom));
  EXPECT_EQ(image.left, 0);
  EXPECT_EQ(image.right, 1);
  for (const float position : image.position)
    ASSERT_EQ(position, 1);
}

TEST(Zoom, TellsWhatLiesBeyondAnAxis) {
  EXPECT_FALSE(beyond(linear(0, 4), 4));
  EXPECT_FALSE(beyond(linear(0, 4), kNan));
  EXPECT_FALSE(beyond(logarithmic(1, 4), 0));
  EXPECT_TRUE(beyond(linear(0, 4), 4.1));
  EXPECT_TRUE(beyond(logarithmic(1, 4), 0.9));
}

}  // namespace
}  // namespace dispersion
