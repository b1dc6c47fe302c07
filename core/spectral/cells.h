#pragma once

#include <vector>

#include "core/spectral/chebyshev.h"

namespace dispersion {

// Piecewise cubics that follow an interpolation polynomial: [0, 1) is cut into equal cells, and on
// each the polynomial is replaced by the cubic through it at the cell's four Chebyshev points. Then
// an item costs three multiply-adds instead of one per point, whatever the number of points.
struct CellMatrix {
  int cells = 0;
  int points = 0;
  // From values at the points to coefficients: coefficient p of cell m, of t^p with t in [0, 1)
  // across the cell, is sum_k value_k matrix[4 m + p, k]. [4 cells, points]
  std::vector<double> matrix;
};

CellMatrix cell_matrix(const InterpolationPoints& points, int cells);

}  // namespace dispersion
