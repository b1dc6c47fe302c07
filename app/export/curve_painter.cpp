#include "app/export/curve_painter.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <set>
#include <utility>
#include <vector>

namespace dispersion {
namespace {

constexpr double kLineThickness = 2;
constexpr double kBandAlpha = 0.16;
constexpr double kRangeAlpha = 0.3;       // of the range of a dense line
constexpr std::size_t kManyPoints = 150;  // from here on markers are small and translucent
constexpr double kKeyWidth = 18;
constexpr double kKeyDash = 3;  // length of the dash on either side of a marker

constexpr double kOutline = 1.5;  // thickness of the outline of a mark
constexpr int kRingCorners = 24;

// Draws the outline of a regular polygon. Its first corner is above the centre, turned clockwise by
// `turn` quarters of a circle.
void paint_corners(Canvas& canvas, Point centre, double radius, int corners, double turn,
                   Colour colour) {
  std::vector<Point> points;
  for (int i = 0; i <= corners; ++i) {
    const double angle =
        (turn / 4 + static_cast<double>(i % corners) / corners) * 2 * std::numbers::pi;
    points.push_back({centre.x + radius * std::sin(angle), centre.y - radius * std::cos(angle)});
  }
  canvas.polyline(points, colour, kOutline);
}

void paint_cross(Canvas& canvas, Point centre, double half, Colour colour) {
  for (const double side : {-1.0, 1.0}) {
    const std::vector<Point> ends = {{centre.x - half, centre.y - side * half},
                                     {centre.x + half, centre.y + side * half}};
    canvas.polyline(ends, colour, kOutline);
  }
}

constexpr std::size_t kFewPoints = 2'000;  // lines of at most so many points are not thinned
constexpr std::size_t kFewMarks = 10'000;  // the same for marks
constexpr double kColumn = 0.5;            // units along x in which a line keeps four points
constexpr double kCell = 1.5;              // units each way in which one mark is kept
constexpr double kBucket = 3;              // units along x that give one mean and one range
constexpr std::size_t kLeastDense = 400;   // least number of points of a dense line
constexpr std::size_t kDense = 6;          // its least number of points in a bucket, on average

// Adds the first, the lowest, the highest and the last of the points [begin, end), each once and in
// their order.
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

void paint_mark(Canvas& canvas, Mark mark, Point centre, double radius, Colour colour,
                double alpha) {
  switch (mark) {
    case Mark::kDisc:
      return canvas.disc(centre, radius, colour, alpha);
    case Mark::kRing:
      return paint_corners(canvas, centre, radius, kRingCorners, 0, colour);
    case Mark::kSquare:
      return paint_corners(canvas, centre, 1.3 * radius, 4, 0.5, colour);
    case Mark::kTriangle:
      return paint_corners(canvas, centre, 1.3 * radius, 3, 0, colour);
    case Mark::kDiamond:
      return paint_corners(canvas, centre, 1.4 * radius, 4, 0, colour);
    case Mark::kCross:
      return paint_cross(canvas, centre, radius, colour);
  }
}

void paint_band(Canvas& canvas, const Series& series, const Scales& scales, Colour colour) {
  canvas.band(thinned(line_places(scales, series.x, series.low)),
              thinned(line_places(scales, series.x, series.high)), colour, kBandAlpha);
}

void paint_series(Canvas& canvas, const Series& series, const Scales& scales, Colour colour,
                  double widening) {
  const std::vector<Point> points = places(scales, series.x, series.y);
  const std::vector<Point> whole = line_places(scales, series.x, series.y);
  const auto dense = series.line == LineStyle::kSolid ? dense_line(whole) : std::nullopt;
  if (dense) canvas.band(dense->low, dense->high, colour, kRangeAlpha);
  const std::vector<Point> line = dense ? dense->mean : thinned(whole);
  if (series.line == LineStyle::kSolid) canvas.polyline(line, colour, kLineThickness + widening);
  if (series.line == LineStyle::kDashed) canvas.dashed_line(line, colour, kLineThickness);
  if (!series.markers) return;
  const bool many = points.size() > kManyPoints;
  for (const Point& point : thinned_marks(points))
    paint_mark(canvas, series.mark, point, many ? 1.8 : kMarkerRadius + widening, colour,
               many ? 0.35 : 1);
}

void paint_key(Canvas& canvas, const Series& series, Colour colour, Point at) {
  const double y = at.y - 4.5;
  const auto line = [y](double from, double to) { return std::vector<Point>{{from, y}, {to, y}}; };
  const double end = at.x + kKeyWidth;
  if (series.line == LineStyle::kSolid) canvas.polyline(line(at.x, end), colour, kLineThickness);
  if (series.line == LineStyle::kDashed && !series.markers)
    canvas.dashed_line(line(at.x, end), colour, kLineThickness);
  if (series.line == LineStyle::kDashed && series.markers) {
    // A marker would hide the gaps of a dashed line, so a dash is drawn on either side of it.
    canvas.polyline(line(at.x, at.x + kKeyDash), colour, kLineThickness);
    canvas.polyline(line(end - kKeyDash, end), colour, kLineThickness);
  }
  if (series.markers)
    paint_mark(canvas, series.mark, {at.x + kKeyWidth / 2, y}, kMarkerRadius, colour);
}

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
