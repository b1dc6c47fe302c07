#include "core/statistics/polynomial_fit.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>

#include "core/math/least_squares.h"

namespace dispersion {
namespace {

using Real = long double;

// Of the longest column: columns this close to dependent hold nothing but the rounding of x to
// double.
constexpr Real kSmallestPivot = 1e-12L;

// What maps [low, high] to [-1, 1]: u = scale x + shift.
struct ToUnit {
  Real scale = 1;
  Real shift = 0;
};

ToUnit to_unit(std::span<const double> x) {
  const auto [low, high] = std::ranges::minmax(x);
  if (low == high) return {1, -static_cast<Real>(low)};
  const Real width = static_cast<Real>(high) - static_cast<Real>(low);
  return {2 / width, -(static_cast<Real>(high) + static_cast<Real>(low)) / width};
}

// T_0 ... T_degree at every x: [degree + 1] columns of [samples].
std::vector<Column> chebyshev_columns(std::span<const double> x, ToUnit map, int degree) {
  std::vector<Column> columns(static_cast<std::size_t>(degree) + 1, Column(x.size(), 1));
  for (std::size_t row = 0; row < x.size(); ++row) {
    const Real u = map.scale * x[row] + map.shift;
    if (degree > 0) columns[1][row] = u;
    for (std::size_t k = 2; k < columns.size(); ++k)
      columns[k][row] = 2 * u * columns[k - 1][row] - columns[k - 2][row];
  }
  return columns;
}

// sum_k weight[k] T_k(scale x + shift) in powers of x, lowest first: Clenshaw's recurrence on
// polynomials.
std::vector<Real> in_powers(const std::vector<Real>& weight, ToUnit map) {
  const std::size_t size = weight.size();
  std::vector<Real> next(size, 0);
  std::vector<Real> after(size, 0);
  for (std::size_t k = size; k-- > 0;) {
    // T_0 takes u b - b' in place of 2 u b - b'.
    const Real factor = k == 0 ? 1 : 2;
    std::vector<Real> here(size, 0);
    for (std::size_t power = 0; power < size; ++power) {
      here[power] = factor * map.shift * next[power] - after[power];
      if (power > 0) here[power] += factor * map.scale * next[power - 1];
    }
    here[0] += weight[k];
    after = std::move(next);
    next = std::move(here);
  }
  return next;
}

Real squared_residuals(std::span<const double> x, std::span<const double> y,
                       const std::vector<Real>& powers) {
  Real sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    Real value = 0;
    for (std::size_t power = powers.size(); power-- > 0;)
      value = value * x[i] + powers[power];
    sum += (value - y[i]) * (value - y[i]);
  }
  return sum;
}

void validate(std::span<const double> x, std::span<const double> y, int degree) {
  if (x.size() != y.size()) throw std::invalid_argument("a fit needs one y for every x");
  if (degree < 0) throw std::invalid_argument("the degree of a polynomial is at least 0");
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::ranges::all_of(x, finite) || !std::ranges::all_of(y, finite)) {
    throw std::invalid_argument("a fit needs samples that are finite");
  }
}

}  // namespace

Answer<PolynomialFit> fit_polynomial(std::span<const double> x, std::span<const double> y,
                                     int degree) {
  validate(x, y, degree);
  const std::size_t terms = static_cast<std::size_t>(degree) + 1;
  const std::string needed = "a polynomial of degree " + std::to_string(degree) +
                             " needs at least " + std::to_string(terms);
  if (x.size() < terms) {
    return no_answer<PolynomialFit>("too few samples: " + needed + ", there are " +
                                    std::to_string(x.size()));
  }
  const std::size_t distinct = std::set<double>(x.begin(), x.end()).size();
  if (distinct < terms) {
    return no_answer<PolynomialFit>("singular: " + needed + " different entropies, there are " +
                                    std::to_string(distinct));
  }
  const ToUnit map = to_unit(x);
  const std::optional<std::vector<Real>> weights =
      least_squares(chebyshev_columns(x, map, degree), Column(y.begin(), y.end()), kSmallestPivot);
  if (!weights) {
    return no_answer<PolynomialFit>(
        "singular: the entropies are too close together to tell the powers apart");
  }
  const std::vector<Real> powers = in_powers(*weights, map);
  PolynomialFit fit;
  for (std::size_t power = terms; power-- > 0;)
    fit.coefficients.push_back(static_cast<double>(powers[power]));
  fit.sum_of_squares = static_cast<double>(squared_residuals(x, y, powers));
  fit.residual = std::sqrt(fit.sum_of_squares / static_cast<double>(x.size()));
  return answer(std::move(fit));
}

}  // namespace dispersion
