#pragma once

#include <optional>
#include <vector>

#include "app/export/canvas.h"

namespace dispersion {

// A long line reduced to what can be seen of it: of points one after the other in the same half of
// a unit along x, the first, the lowest, the highest and the last. Lines of less than a few
// thousand points stay as they are.
std::vector<Point> thinned(const std::vector<Point>& points);

// A line that goes up and down more often than can be drawn, as its mean and its range.
struct DenseLine {
  std::vector<Point> mean;
  std::vector<Point> low;
  std::vector<Point> high;
};

// So much of the line as its points are dense: from some points in every three units along x on.
// Nothing for others.
std::optional<DenseLine> dense_line(const std::vector<Point>& points);

// Of very many marks, one in every cell of one and a half units.
std::vector<Point> thinned_marks(const std::vector<Point>& points);

}  // namespace dispersion
