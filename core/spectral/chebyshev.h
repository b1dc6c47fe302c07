#pragma once

#include <algorithm>
#include <vector>

namespace dispersion {

// Chebyshev points of the first kind on [0, 1], ascending, and the weights of barycentric
// interpolation through them (Berrut and Trefethen, "Barycentric Lagrange interpolation", SIAM
// Review 46, 2004). The points are rounded to float, and the weights belong to the rounded points:
// then x - point is exact near a point, where its relative error would decide.
struct InterpolationPoints {
  std::vector<float> point;    // [count]
  std::vector<double> weight;  // [count], the largest is 1 in magnitude

  int count() const { return static_cast<int>(point.size()); }
};

inline constexpr int kMostInterpolationPoints = 64;

// count in 2 .. kMostInterpolationPoints.
InterpolationPoints chebyshev_points(int count);

// basis[r, k] = value of the k-th Lagrange polynomial at x[r]: 1 at point k, 0 at the others, so
// that an interpolated value is basis . values at the points. basis: [rows, count]. Sums have a
// fixed order. x in [0, 1].
template <class Scalar>
void lagrange_basis(const InterpolationPoints& points, const float* x, int rows, Scalar* basis);

// One row, for an x in double.
void lagrange_row(const InterpolationPoints& points, double x, double* basis);

// Piecewise cubics that follow an interpolation polynomial: [0, 1) is cut into equal cells, and on
// each the polynomial is replaced by the cubic through it at the cell's four Chebyshev points. Then
// an item costs three multiply-adds instead of one per point, whatever the number of points.
struct CellMatrix {
  int cells = 0;  // a power of two
  int points = 0;
  // From values at the points to coefficients: coefficient p of cell m, of t^p with t in [0, 1)
  // across the cell, is sum_k value_k matrix[4 m + p, k]. [4 cells, points]
  std::vector<double> matrix;
};

CellMatrix cell_matrix(const InterpolationPoints& points, int cells);

// Where x in [0, 1] lies, t across a cell. A priority rounded to fewer digits may be 1, which the
// last cell holds at its edge, t = 1.
struct CellPlace {
  int cell = 0;
  float t = 0;
};
[[gnu::always_inline]] inline CellPlace place_in_cells(float x, int cells) {
  const float along = x * static_cast<float>(cells);
  const int cell = std::min(static_cast<int>(along), cells - 1);
  return {cell, along - static_cast<float>(cell)};
}

// As lagrange_basis, of the cubics: three multiply-adds per point in place of a division.
void cubic_basis(const CellMatrix& cells, const float* x, int rows, double* basis);

}  // namespace dispersion
