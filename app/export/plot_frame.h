#pragma once

#include <string>

#include "app/export/figure_painter.h"
#include "app/export/plot_scales.h"

namespace dispersion {

inline constexpr double kAxisHeight = 48;  // below a plot: tick labels and the name of the axis
inline constexpr double kAxisWidth = 62;   // to the left: the same

// Writes title and subtitle, side by side where they fit, else below; returns the height they take.
double paint_heading(Canvas& canvas, const std::string& title, const std::string& subtitle,
                     Rect area, const DrawOptions& options);

// The same without writing.
double heading_height(const Canvas& canvas, const std::string& title, const std::string& subtitle,
                      double width, const DrawOptions& options);

// Ticks and names of both axes; `lines`: with faint lines across at the ticks. `width`: of what is
// left for those of y, at the left.
void paint_axes(Canvas& canvas, const Axis& x_axis, const Axis& y_axis, const Scales& scales,
                double width, bool lines, const DrawOptions& options);

}  // namespace dispersion
