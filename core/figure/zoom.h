#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/figure/figure.h"
#include "core/figure/surface.h"

namespace dispersion {

// Which part of a figure is shown. Wheel, drag and selection box change the limits of an axis by
// shares of it (0 at its low end, 1 at its high end), so that they work alike on linear and
// logarithmic axes.

struct AxisLimits {
  double low = 0;
  double high = 1;

  bool operator==(const AxisLimits&) const = default;
};

// What is shown of one plot or field. An axis without limits here has its own.
struct PlotZoom {
  std::optional<AxisLimits> x;
  std::optional<AxisLimits> y;
  std::set<std::string> hidden;  // names of the series that the user has hidden

  bool operator==(const PlotZoom&) const = default;
};

// What is shown of a figure.
struct FigureZoom {
  std::optional<AxisLimits> items;        // of all axes of n, which are linked
  std::map<std::string, PlotZoom> plots;  // plots and fields, by their titles
  SurfaceView seen_from;                  // its surfaces, all from one side

  bool operator==(const FigureZoom&) const = default;
};

// The limits at two shares of an axis, in either order: what a selection box or a drag leaves.
// Nothing where they would make no usable axis: equal to within rounding, not finite, beyond 1e300,
// or not above 0 on a logarithmic axis.
std::optional<AxisLimits> limits_between(const Axis& axis, double from, double to);

// The limits after zooming in by `factor` (below 1: out) about the value at `share`, which keeps
// its position. Nothing as above.
std::optional<AxisLimits> magnified(const Axis& axis, double share, double factor);
// The limits after panning: the value that was at share 0 is at `share` now. Nothing as above.
std::optional<AxisLimits> moved(const Axis& axis, double share);

// The axis with other limits. It keeps its own ticks where enough of them remain, and gets new ones
// otherwise. Limits that make no usable axis leave it as it is.
Axis with_limits(const Axis& axis, const AxisLimits& limits);

// A copy of the axis that can be drawn: limits that are not finite are replaced, and an axis of no
// width becomes linear and gets a small width.
Axis widened(const Axis& axis);

// Sets the limits of one axis of the plot with that title, or removes them. Those of an axis of n
// apply to all axes of n. Limits that do not overlap the axis' own range are ignored, since the
// plot would be empty.
enum class AxisSide { kX, kY };
void set_limits(FigureZoom& zoom, const std::string& title, AxisSide side, const Axis& axis,
                const std::optional<AxisLimits>& limits);

// Hides a series of the plot, or shows it again.
void toggle_series(FigureZoom& zoom, const std::string& title, const std::string& series);

// The plot, field or figure under the zoom. An axis of n that the linked limits do not overlap
// keeps its own.
LinePlot zoomed(LinePlot plot, const FigureZoom& zoom);
FieldPlot zoomed(FieldPlot plot, const FigureZoom& zoom);
Figure zoomed(Figure figure, const FigureZoom& zoom);

}  // namespace dispersion
