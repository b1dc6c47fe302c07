#include "core/spectral/cells.h"

#include <Eigen/LU>

#include <cmath>
#include <cstddef>
#include <numbers>

#include "core/math/area.h"

namespace dispersion {

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

}  // namespace dispersion
