#pragma once

#include <optional>
#include <vector>

#include "app/export/figure_painter.h"
#include "app/export/plot_frame.h"

namespace dispersion {

// Painting one curve of a plot. A curve of very many points is reduced to what can be seen of it.

inline constexpr double kMarkerRadius = 3.5;

// The mark at a point of a curve.
void paint_mark(Canvas& canvas, Mark mark, Point centre, double radius, Colour colour,
                double alpha = 1);

// The band between the low and the high values of a curve.
void paint_band(Canvas& canvas, const Series& series, const Scales& scales, Colour colour);

// The line and the markers of a curve. `widening` is added to the thickness of the line and to the
// radius of the markers.
void paint_series(Canvas& canvas, const Series& series, const Scales& scales, Colour colour,
                  double widening);

// Reduces a long line: of consecutive points in the same half unit along x only the first, the
// lowest, the highest and the last stay. A line of at most 2,000 points stays as it is.
std::vector<Point> thinned(const std::vector<Point>& points);

// A line that goes up and down more often than can be drawn, as its mean and its range.
struct DenseLine {
  std::vector<Point> mean;
  std::vector<Point> low;
  std::vector<Point> high;
};

// The mean and the range of the line in every three units along x, if the line has several points
// in them on average; nothing for other lines.
std::optional<DenseLine> dense_line(const std::vector<Point>& points);

// Reduces more than 10,000 marks to one in every cell of one and a half units.
std::vector<Point> thinned_marks(const std::vector<Point>& points);

}  // namespace dispersion
