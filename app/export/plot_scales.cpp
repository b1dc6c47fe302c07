#include "app/export/plot_scales.h"

#include <algorithm>
#include <cmath>

#include "core/figure/axis.h"

namespace dispersion {
namespace {

// Units. Lines that go farther are brought here, so that no file format loses its coordinates.
constexpr double kFarthest = 1e5;

Point near(Point p) {
  return {std::clamp(p.x, -kFarthest, kFarthest), std::clamp(p.y, -kFarthest, kFarthest)};
}

bool far(Point p) {
  return std::abs(p.x) > kFarthest || std::abs(p.y) > kFarthest;
}

std::vector<Point> all_places(const Scales& scales, const std::vector<double>& x,
                              const std::vector<double>& y) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    const Point point = {scales.x(x[i]), scales.y(y[i])};
    if (std::isfinite(point.x) && std::isfinite(point.y)) points.push_back(point);
  }
  return points;
}

// Where the way from one point to the next crosses the farthest places: between two of these it is
// either as near as it looks or outside altogether.
void add_crossings(Point from, Point to, std::vector<Point>& line) {
  std::vector<double> shares;
  for (const double limit : {-kFarthest, kFarthest}) {
    shares.push_back((limit - from.x) / (to.x - from.x));
    shares.push_back((limit - from.y) / (to.y - from.y));
  }
  std::erase_if(shares, [](double share) { return !(share > 0 && share < 1); });
  std::ranges::sort(shares);
  for (const double share : shares)
    line.push_back(near({std::lerp(from.x, to.x, share), std::lerp(from.y, to.y, share)}));
}

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
  std::vector<Point> points = all_places(scales, x, y);
  std::erase_if(points, far);
  return points;
}

std::vector<Point> line_places(const Scales& scales, const std::vector<double>& x,
                               const std::vector<double>& y) {
  const std::vector<Point> all = all_places(scales, x, y);
  std::vector<Point> line;
  line.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0 && (far(all[i - 1]) || far(all[i]))) add_crossings(all[i - 1], all[i], line);
    line.push_back(near(all[i]));
  }
  return line;
}

}  // namespace dispersion
