#include "app/export/plot_scales.h"

#include <algorithm>
#include <cmath>

#include "core/figure/field_image.h"

namespace dispersion {
namespace {

// Units. Farther points are brought here: a line to them looks the same where it can be seen, and
// no file format loses its coordinates.
constexpr double kFarthest = 1e5;

}  // namespace

Scales::Scales(const Axis& x, const Axis& y, Rect inside) : x_(x), y_(y), inside_(inside) {}

double Scales::x(double value) const {
  return inside_.x + axis_share(x_, value) * inside_.width;
}

double Scales::y(double value) const {
  return inside_.bottom() - axis_share(y_, value) * inside_.height;
}

std::vector<Point> places(const Scales& scales, const std::vector<double>& x,
                          const std::vector<double>& y) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    const Point point = {scales.x(x[i]), scales.y(y[i])};
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
    points.push_back(
        {std::clamp(point.x, -kFarthest, kFarthest), std::clamp(point.y, -kFarthest, kFarthest)});
  }
  return points;
}

}  // namespace dispersion
