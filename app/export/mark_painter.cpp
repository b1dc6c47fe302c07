#include "app/export/mark_painter.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace dispersion {
namespace {

constexpr double kOutline = 1.5;  // thickness
constexpr int kRingCorners = 24;

// A closed line with its corners evenly around the centre, the first at `turn` quarters from above.
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

}  // namespace dispersion
