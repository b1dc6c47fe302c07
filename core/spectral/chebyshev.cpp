#include "core/spectral/chebyshev.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>
#include <string>

#include <Eigen/LU>

#include "core/math/area.h"
#include "core/spectral/fixed_count.h"

namespace dispersion {

namespace {

// An x that hits a point is moved so close beside it that its basis value comes out as 1.
constexpr double kHit = 1e-30;

// kCount is a constant for the counts that are used, so that the loops unroll and vectorise.
template <int kCount, class Scalar>
[[gnu::always_inline]] inline void basis_row(const float* point, const double* weight, int count,
                                             double x, Scalar* row) {
  const int n = kCount > 0 ? kCount : count;
  double terms[kMostInterpolationPoints];
  for (int k = 0; k < n; ++k) {
    const double distance = x - static_cast<double>(point[k]);
    terms[k] = weight[k] / (distance == 0 ? kHit : distance);
  }
  double sums[4] = {};
  for (int k = 0; k < n; ++k)
    sums[k % 4] += terms[k];
  const double inverse = 1 / ((sums[0] + sums[1]) + (sums[2] + sums[3]));
  for (int k = 0; k < n; ++k)
    row[k] = static_cast<Scalar>(terms[k] * inverse);
}

}  // namespace

InterpolationPoints chebyshev_points(int count) {
  if (count < 2 || count > kMostInterpolationPoints) {
    throw std::invalid_argument("interpolation needs 2 to " +
                                std::to_string(kMostInterpolationPoints) + " points, not " +
                                std::to_string(count));
  }
  InterpolationPoints points;
  for (int k = count - 1; k >= 0; --k) {
    const double angle = (2 * k + 1) * std::numbers::pi / (2 * count);
    points.point.push_back(static_cast<float>((1 + std::cos(angle)) / 2));
  }
  double largest = 0;
  for (const float at : points.point) {
    double product = 1;
    for (const float other : points.point) {
      // Times 4: points on an interval of length 4 keep the product near 1.
      if (other != at) product *= 4 * (static_cast<double>(at) - static_cast<double>(other));
    }
    points.weight.push_back(1 / product);
    largest = std::max(largest, std::abs(1 / product));
  }
  for (double& weight : points.weight)
    weight /= largest;
  return points;
}

template <class Scalar>
void lagrange_basis(const InterpolationPoints& points, const float* x, int rows, Scalar* basis) {
  with_fixed_count(points.count(), [&](auto fixed) {
    for (int r = 0; r < rows; ++r) {
      basis_row<fixed()>(points.point.data(), points.weight.data(), points.count(),
                         static_cast<double>(x[r]), basis + area(r, points.count()));
    }
  });
}

void lagrange_row(const InterpolationPoints& points, double x, double* basis) {
  basis_row<0>(points.point.data(), points.weight.data(), points.count(), x, basis);
}

template void lagrange_basis(const InterpolationPoints&, const float*, int, float*);
template void lagrange_basis(const InterpolationPoints&, const float*, int, double*);

CellMatrix cell_matrix(const InterpolationPoints& points, int cells) {
  CellMatrix result{cells, points.count(), {}};
  result.matrix.resize(area(4 * cells, points.count()));
  Eigen::Matrix4d powers;
  double places[4];
  for (int r = 0; r < 4; ++r) {
    places[r] = (1 - std::cos((2 * r + 1) * std::numbers::pi / 8)) / 2;
    for (int p = 0; p < 4; ++p)
      powers(r, p) = std::pow(places[r], p);
  }
  const Eigen::Matrix4d to_coefficients = powers.inverse();
  std::vector<double> basis(area(4, points.count()));
  for (int m = 0; m < cells; ++m) {
    for (int r = 0; r < 4; ++r) {
      lagrange_row(points, (m + places[r]) / cells, basis.data() + area(r, points.count()));
    }
    for (int p = 0; p < 4; ++p) {
      double* row = result.matrix.data() + area(4 * m + p, points.count());
      for (int k = 0; k < points.count(); ++k) {
        row[k] = 0;
        for (int r = 0; r < 4; ++r)
          row[k] +=
              to_coefficients(p, r) * basis[area(r, points.count()) + static_cast<std::size_t>(k)];
      }
    }
  }
  return result;
}

void cubic_basis(const CellMatrix& cells, const float* x, int rows, double* basis) {
  with_fixed_count(cells.points, [&](auto fixed) {
    const int n = fixed() > 0 ? fixed() : cells.points;
    for (int r = 0; r < rows; ++r) {
      const CellPlace place = place_in_cells(x[r], cells.cells);
      const double t = static_cast<double>(place.t);
      const double* cubic = cells.matrix.data() + area(4 * place.cell, n);
      double* row = basis + area(r, n);
      for (int k = 0; k < n; ++k) {
        double value = std::fma(cubic[3 * n + k], t, cubic[2 * n + k]);
        value = std::fma(value, t, cubic[n + k]);
        row[k] = std::fma(value, t, cubic[k]);
      }
    }
  });
}

}  // namespace dispersion
