#include "app/export/thinned.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <utility>

namespace dispersion {
namespace {

constexpr std::size_t kFewPoints = 2'000;
constexpr std::size_t kFewMarks = 10'000;
constexpr double kColumn = 0.5;
constexpr double kCell = 1.5;

// First, extremes and last of [begin, end), each once and in order.
void add_column(std::vector<Point>& few, const std::vector<Point>& points, std::size_t begin,
                std::size_t end) {
  const auto from = points.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto to = points.begin() + static_cast<std::ptrdiff_t>(end);
  const auto [low, high] = std::ranges::minmax_element(from, to, {}, &Point::y);
  const std::set<std::ptrdiff_t> kept = {0, low - from, high - from, to - from - 1};
  for (const std::ptrdiff_t i : kept)
    few.push_back(from[i]);
}

}  // namespace

std::vector<Point> thinned(const std::vector<Point>& points) {
  if (points.size() <= kFewPoints) return points;
  std::vector<Point> few;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= points.size(); ++i) {
    const bool same = i < points.size() &&
                      std::floor(points[i].x / kColumn) == std::floor(points[begin].x / kColumn);
    if (same) continue;
    add_column(few, points, begin, i);
    begin = i;
  }
  return few;
}

std::vector<Point> thinned_marks(const std::vector<Point>& points) {
  if (points.size() <= kFewMarks) return points;
  std::set<std::pair<double, double>> taken;
  std::vector<Point> few;
  for (const Point& point : points) {
    if (taken.emplace(std::floor(point.x / kCell), std::floor(point.y / kCell)).second)
      few.push_back(point);
  }
  return few;
}

}  // namespace dispersion
