#include "core/math/least_squares.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace dispersion {
namespace {

// Applies I - 2 v v^T / (v v) to x, both from row `first` on.
void reflect(const Column& v, long double squares, std::size_t first, Column& x) {
  const long double factor = 2 * dot(v, x, first) / squares;
  for (std::size_t i = first; i < x.size(); ++i)
    x[i] -= factor * v[i];
}

// Solves R x = y for the upper triangle R that the reflections left in the columns.
std::vector<long double> back_substitution(const std::vector<Column>& columns, const Column& y) {
  std::vector<long double> x(columns.size());
  for (std::size_t k = columns.size(); k-- > 0;) {
    long double rest = y[k];
    for (std::size_t j = k + 1; j < columns.size(); ++j)
      rest -= columns[j][k] * x[j];
    x[k] = rest / columns[k][k];
  }
  return x;
}

}  // namespace

long double dot(const Column& a, const Column& b, std::size_t first) {
  long double sum = 0;
  for (std::size_t i = first; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

std::optional<std::vector<long double>> least_squares(std::vector<Column> columns, Column target,
                                                      long double smallest_pivot) {
  const std::size_t count = columns.size();
  std::vector<std::size_t> place(count);  // of each column before the pivoting
  for (std::size_t k = 0; k < count; ++k)
    place[k] = k;
  long double longest = 0;
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t pivot = k;
    long double squares = 0;
    for (std::size_t j = k; j < count; ++j) {
      const long double length = dot(columns[j], columns[j], k);
      if (length > squares) {
        squares = length;
        pivot = j;
      }
    }
    std::swap(columns[k], columns[pivot]);
    std::swap(place[k], place[pivot]);
    const long double length = std::sqrt(squares);
    longest = std::max(longest, length);
    if (!(length > smallest_pivot * longest)) return std::nullopt;
    // The reflection takes the column to (alpha, 0, ..., 0); alpha has the sign that adds.
    Column v = columns[k];
    const long double alpha = v[k] > 0 ? -length : length;
    v[k] -= alpha;
    const long double v_squares = dot(v, v, k);
    for (std::size_t j = k + 1; j < count; ++j)
      reflect(v, v_squares, k, columns[j]);
    reflect(v, v_squares, k, target);
    columns[k][k] = alpha;
  }
  const std::vector<long double> pivoted = back_substitution(columns, target);
  std::vector<long double> weights(count);
  for (std::size_t k = 0; k < count; ++k)
    weights[place[k]] = pivoted[k];
  return weights;
}

}  // namespace dispersion
