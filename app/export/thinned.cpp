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
constexpr double kBucket = 3;
constexpr std::size_t kLeastDense = 400;  // points
constexpr std::size_t kDense = 6;         // points in a bucket

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

std::optional<DenseLine> dense_line(const std::vector<Point>& points) {
  if (points.size() < kLeastDense) return std::nullopt;
  const auto bucket = [&](std::size_t i) { return std::floor(points[i].x / kBucket); };
  DenseLine line;
  for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
    double sum_x = 0, sum_y = 0;
    for (end = begin; end < points.size() && bucket(end) == bucket(begin); ++end) {
      sum_x += points[end].x;
      sum_y += points[end].y;
    }
    const auto count = static_cast<double>(end - begin);
    const auto [low, high] = std::ranges::minmax_element(
        points.begin() + static_cast<std::ptrdiff_t>(begin),
        points.begin() + static_cast<std::ptrdiff_t>(end), {}, &Point::y);
    line.mean.push_back({sum_x / count, sum_y / count});
    line.low.push_back({sum_x / count, low->y});
    line.high.push_back({sum_x / count, high->y});
  }
  if (points.size() < kDense * line.mean.size()) return std::nullopt;
  return line;
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
