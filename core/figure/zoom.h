#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/figure/figure.h"

namespace dispersion {

// Which part of a figure is shown: the arithmetic of wheel, drag and box, in shares of an axis (0
// at its low end, 1 at its high end), so that it is the same on linear and logarithmic axes.

struct AxisLimits {
  double low = 0;
  double high = 1;

  bool operator==(const AxisLimits&) const = default;
};

// What is shown of a plot or a field. No limits: the axis' own.
struct PlotZoom {
  std::optional<AxisLimits> x;
  std::optional<AxisLimits> y;
  std::set<std::string> hidden;  // names of series

  bool operator==(const PlotZoom&) const = default;
};

// The same of all plots of a figure.
struct FigureZoom {
  std::optional<AxisLimits> items;        // of every axis of n: these are linked
  std::map<std::string, PlotZoom> plots;  // plots and fields, by their titles

  bool operator==(const FigureZoom&) const = default;
};

// Whether n, the number of items, runs along the axis.
bool counts_items(const Axis& axis);

// The limits between two shares of an axis, in either order: a box, or what a drag leaves. None
// where they would be no axis: equal to within rounding, not finite, beyond 1e300, or not above 0
// on a logarithmic axis.
std::optional<AxisLimits> limits_between(const Axis& axis, double from, double to);

// The axis magnified by `factor` (above 1: nearer) about the value at `share`, which keeps its
// place; and moved by a share of itself, so that what was at share 0 is at `share`. None as above.
std::optional<AxisLimits> magnified(const Axis& axis, double share, double factor);
std::optional<AxisLimits> moved(const Axis& axis, double share);

// The axis with other limits and ticks for them: its own where enough of these are left, else new
// ones. With limits that are none it stays as it is.
Axis with_limits(const Axis& axis, const AxisLimits& limits);

// An axis that something can be drawn along: what is not finite gets limits, and what is of no
// width a little of it. A logarithmic axis of no width becomes a linear one.
Axis widened(const Axis& axis);

// Takes the limits of an axis of the plot with that title into the zoom; none: its own again. An
// axis of n takes all others with it. Limits between which nothing of the axis, with its own ones,
// would be seen are not taken.
enum class AxisSide { kX, kY };
void set_limits(FigureZoom& zoom, const std::string& title, AxisSide side, const Axis& axis,
                const std::optional<AxisLimits>& limits);

// Hides a series of the plot, or shows it again.
void toggle_series(FigureZoom& zoom, const std::string& title, const std::string& series);

// The same plot, field or figure as it is shown. Axes of n on which nothing would be seen between
// the linked limits keep their own.
LinePlot zoomed(LinePlot plot, const FigureZoom& zoom);
FieldPlot zoomed(FieldPlot plot, const FigureZoom& zoom);
Figure zoomed(Figure figure, const FigureZoom& zoom);

// Whether a value has a place beyond the ends of the axis.
bool beyond(const Axis& axis, double value);

}  // namespace dispersion
