#pragma once

#include <vector>

#include "app/export/canvas.h"
#include "core/figure/figure.h"

namespace dispersion {

// From values to places on the canvas. The axes must outlive it.
class Scales {
 public:
  Scales(const Axis& x, const Axis& y, Rect inside);

  double x(double value) const;
  double y(double value) const;
  const Rect& inside() const { return inside_; }

 private:
  const Axis& x_;
  const Axis& y_;
  Rect inside_;
};

// The points that have a place, in order; of those far outside the axes none.
std::vector<Point> places(const Scales& scales, const std::vector<double>& x,
                          const std::vector<double>& y);

// A line through the points that have a place. What of it is far outside the axes lies closer to
// them: it looks the same where it can be seen.
std::vector<Point> line_places(const Scales& scales, const std::vector<double>& x,
                               const std::vector<double>& y);

}  // namespace dispersion
