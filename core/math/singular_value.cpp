#include "core/math/singular_value.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/math/area.h"

namespace dispersion {
namespace {

// A symmetric matrix, [size, size]; all of it is stored, so that every loop runs along rows.
struct Symmetric {
  std::size_t size = 0;
  std::vector<double> values;

  double* row(std::size_t i) { return values.data() + i * size; }
};

// The diagonal and what stands beside it.
struct Tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> beside;  // beside[i] stands in rows i and i + 1
};

// A^T A / scale^2: no product overflows when `scale` is the largest entry.
Symmetric scaled_gram(std::span<const double> matrix, int rows, int columns, double scale) {
  const auto size = static_cast<std::size_t>(columns);
  Symmetric gram{size, std::vector<double>(area(columns, columns), 0)};
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
    const double* a = matrix.data() + row * size;
    for (std::size_t i = 0; i < size; ++i) {
      double* g = gram.row(i);
      const double factor = a[i] / scale;
      for (std::size_t j = 0; j < size; ++j)
        g[j] += factor * (a[j] / scale);
    }
  }
  return gram;
}

// v = x - alpha e_0 with |alpha| = |x|, so that the reflection I - 2 v v^T / (v v) takes x to
// alpha e_0. Returns alpha; leaves v = 0 where there is nothing to do.
double reflector_of(std::vector<double>& v) {
  double squares = 0;
  for (const double value : v)
    squares += value * value;
  const double rest = squares - v[0] * v[0];
  if (!(rest > 0)) {
    const double alpha = v[0];
    std::ranges::fill(v, 0.0);
    return alpha;
  }
  const double alpha = v[0] > 0 ? -std::sqrt(squares) : std::sqrt(squares);
  v[0] -= alpha;
  return alpha;
}

// Reflects rows and columns `first` and after of a matrix: B = H A H with H = I - 2 v v^T / (v v).
void reflect(Symmetric& matrix, std::size_t first, const std::vector<double>& v) {
  double squares = 0;
  for (const double value : v)
    squares += value * value;
  if (squares == 0) return;
  const std::size_t size = v.size();
  std::vector<double> w(size, 0.0);  // 2 A v / (v v), then less its part along v
  for (std::size_t i = 0; i < size; ++i) {
    const double* row = matrix.row(first + i) + first;
    const double factor = 2 * v[i] / squares;
    for (std::size_t j = 0; j < size; ++j)
      w[j] += factor * row[j];
  }
  double along = 0;
  for (std::size_t i = 0; i < size; ++i)
    along += w[i] * v[i];
  for (std::size_t i = 0; i < size; ++i)
    w[i] -= along / squares * v[i];
  for (std::size_t i = 0; i < size; ++i) {
    double* row = matrix.row(first + i) + first;
    for (std::size_t j = 0; j < size; ++j)
      row[j] -= v[i] * w[j] + w[i] * v[j];
  }
}

Tridiagonal tridiagonal(Symmetric matrix) {
  Tridiagonal result;
  for (std::size_t k = 0; k < matrix.size; ++k) {
    result.diagonal.push_back(matrix.row(k)[k]);
    if (k + 1 == matrix.size) break;
    std::vector<double> v(matrix.row(k) + k + 1, matrix.row(k) + matrix.size);
    result.beside.push_back(reflector_of(v));
    reflect(matrix, k + 1, v);
  }
  return result;
}

// Whether every eigenvalue is below x: the pivots of T - x I are all negative (Sturm).
bool all_below(const Tridiagonal& matrix, double x) {
  double pivot = matrix.diagonal[0] - x;
  for (std::size_t i = 1; i < matrix.diagonal.size() && pivot < 0; ++i) {
    pivot = matrix.diagonal[i] - x - matrix.beside[i - 1] * matrix.beside[i - 1] / pivot;
  }
  return pivot < 0;
}

double largest_eigenvalue(const Tridiagonal& matrix) {
  double low = matrix.diagonal[0];  // an eigenvalue lies at or above every diagonal entry
  double high = 0;                  // Gershgorin
  for (std::size_t i = 0; i < matrix.diagonal.size(); ++i) {
    const double before = i > 0 ? std::fabs(matrix.beside[i - 1]) : 0;
    const double after = i < matrix.beside.size() ? std::fabs(matrix.beside[i]) : 0;
    low = std::max(low, matrix.diagonal[i]);
    high = std::max(high, matrix.diagonal[i] + before + after);
  }
  while (true) {
    const double middle = low + (high - low) / 2;
    if (!(middle > low && middle < high)) return high;
    (all_below(matrix, middle) ? high : low) = middle;
  }
}

}  // namespace

double largest_singular_value(std::span<const double> matrix, int rows, int columns) {
  double scale = 0;
  for (const double value : matrix) {
    if (!std::isfinite(value)) return std::numeric_limits<double>::quiet_NaN();
    scale = std::max(scale, std::fabs(value));
  }
  if (scale == 0) return 0;
  return scale *
         std::sqrt(largest_eigenvalue(tridiagonal(scaled_gram(matrix, rows, columns, scale))));
}

}  // namespace dispersion
