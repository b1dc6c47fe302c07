#pragma once

#include <string>
#include <vector>

#include "app/export/figure_painter.h"

namespace dispersion {

// Where the values of a plot are on the canvas, and the heading and the axes around them.

inline constexpr double kAxisHeight = 48;  // below a plot, for its tick labels and the axis name
inline constexpr double kAxisWidth = 62;   // to the left of a plot, for the same

// Maps values to points on the canvas. The axes must outlive it.
class Scales {
 public:
  // `inside` is the rectangle that the axes span.
  Scales(const Axis& x, const Axis& y, Rect inside);

  double x(double value) const;
  double y(double value) const;
  const Rect& inside() const { return inside_; }

 private:
  const Axis& x_;
  const Axis& y_;
  Rect inside_;
};

// The points of a series, in order, without those that are not finite or lie far outside the axes.
std::vector<Point> places(const Scales& scales, const std::vector<double>& x,
                          const std::vector<double>& y);

// The line through the finite points of a series. Parts far outside the axes are moved closer to
// them, so that no file format overflows; what can be seen stays the same.
std::vector<Point> line_places(const Scales& scales, const std::vector<double>& x,
                               const std::vector<double>& y);

// Writes title and subtitle, beside one another if they fit into the width of the area and else one
// below the other. Returns the height of both.
double paint_heading(Canvas& canvas, const std::string& title, const std::string& subtitle,
                     Rect area, const DrawOptions& options);

// The height that paint_heading() would return.
double heading_height(const Canvas& canvas, const std::string& title, const std::string& subtitle,
                      double width, const DrawOptions& options);

// Draws the ticks and names of both axes. `lines`: also faint lines across the plot at the ticks.
// `width`: the space to the left of the plot for labels and name of the y axis.
void paint_axes(Canvas& canvas, const Axis& x_axis, const Axis& y_axis, const Scales& scales,
                double width, bool lines, const DrawOptions& options);

}  // namespace dispersion
