#include "core/statistics/polynomial_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/math/least_squares.h"
#include "core/math/polynomial.h"

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

// Whether doubles hold the polynomial: at every sample it has the value that it has in Chebyshev
// polynomials. Samples in a narrow range far from 0 have coefficients so large that the powers
// cancel to nothing but rounding.
bool holds(std::span<const double> coefficients, std::span<const double> x,
           const std::vector<Column>& columns, const std::vector<Real>& weights) {
  constexpr Real kOff = 1e-6L;  // of the largest value
  Real largest = 0;
  Real off = 0;
  for (std::size_t row = 0; row < x.size(); ++row) {
    Real value = 0;
    for (std::size_t k = 0; k < weights.size(); ++k)
      value += weights[k] * columns[k][row];
    largest = std::max(largest, std::abs(value));
    off = std::max(off, std::abs(value - polynomial_value(coefficients, x[row])));
  }
  return off <= kOff * largest;
}

// value + 0 x + ..., highest power first.
std::vector<double> constant(double value, std::size_t terms) {
  std::vector<double> coefficients(terms, 0.0);
  coefficients.back() = value;
  return coefficients;
}

// Adds a multiple of one polynomial to another, to its values and to its powers.
void add_times(Real factor, const Column& values, const Column& powers, Column& to_values,
               Column& to_powers) {
  for (std::size_t i = 0; i < values.size(); ++i)
    to_values[i] += factor * values[i];
  for (std::size_t i = 0; i < powers.size(); ++i)
    to_powers[i] += factor * powers[i];
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
  const std::vector<Column> columns = chebyshev_columns(x, map, degree);
  const std::optional<std::vector<Real>> weights =
      least_squares(columns, Column(y.begin(), y.end()), kSmallestPivot);
  if (!weights) {
    return no_answer<PolynomialFit>(
        "singular: the entropies are too close together to tell the powers apart");
  }
  const std::vector<Real> powers = in_powers(*weights, map);
  if (std::ranges::min(y) == std::ranges::max(y))
    return answer(PolynomialFit{constant(y.front(), terms), 0, 0});
  PolynomialFit fit;
  for (std::size_t power = terms; power-- > 0;)
    fit.coefficients.push_back(static_cast<double>(powers[power]));
  if (!holds(fit.coefficients, x, columns, *weights)) {
    return no_answer<PolynomialFit>(
        "singular: the entropies are too close together for a polynomial in their powers");
  }
  fit.sum_of_squares = static_cast<double>(squared_residuals(x, y, powers));
  fit.residual = std::sqrt(fit.sum_of_squares / static_cast<double>(x.size()));
  return answer(std::move(fit));
}

WeightedPolynomials::WeightedPolynomials(std::span<const double> x, std::span<const double> y,
                                         int degree)
    : terms_(static_cast<std::size_t>(degree) + 1), y_(y.begin(), y.end()) {
  validate(x, y, degree);
  const ToUnit map = to_unit(x);
  std::vector<Column> columns = chebyshev_columns(x, map, degree);
  for (std::size_t k = 0; k < terms_; ++k) {
    std::vector<Real> chebyshev(terms_, 0);
    chebyshev[k] = 1;
    powers_.push_back(in_powers(chebyshev, map));
    // Gram and Schmidt, twice, which leaves no more than rounding.
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t j = 0; j < k; ++j)
        add_times(-dot(columns[j], columns[k]), columns[j], powers_[j], columns[k], powers_[k]);
    }
    const Real length = std::sqrt(dot(columns[k], columns[k]));
    for (Column* values : {&columns[k], &powers_[k]}) {
      for (Real& value : *values)
        value /= length;
    }
  }
  for (std::size_t row = 0; row < x.size(); ++row) {
    for (const Column& column : columns)
      basis_.push_back(static_cast<double>(column[row]));
  }
}

std::optional<std::vector<double>> WeightedPolynomials::coefficients(
    std::span<const int> weights) const {
  // Of the longest column of the normal equations, whose sums are in double.
  constexpr Real kSmallestNormalPivot = 1e-12L;
  std::vector<Column> normal(terms_, Column(terms_));
  Column target(terms_);
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  std::vector<double> sums(terms_ * (terms_ + 1), 0.0);
  for (std::size_t sample = 0; sample < weights.size(); ++sample) {
    if (weights[sample] == 0) continue;
    low = std::min(low, y_[sample]);
    high = std::max(high, y_[sample]);
    const double* basis = basis_.data() + sample * terms_;
    for (std::size_t i = 0; i < terms_; ++i) {
      const double weighted = weights[sample] * basis[i];
      for (std::size_t j = 0; j < terms_; ++j)
        sums[i * (terms_ + 1) + j] += weighted * basis[j];
      sums[i * (terms_ + 1) + terms_] += weighted * y_[sample];
    }
  }
  for (std::size_t i = 0; i < terms_; ++i) {
    for (std::size_t j = 0; j < terms_; ++j)
      normal[j][i] = sums[i * (terms_ + 1) + j];
    target[i] = sums[i * (terms_ + 1) + terms_];
  }
  const auto shares = least_squares(std::move(normal), std::move(target), kSmallestNormalPivot);
  if (!shares) return std::nullopt;
  if (low == high) return constant(low, terms_);
  std::vector<double> coefficients(terms_);
  for (std::size_t power = 0; power < terms_; ++power) {
    Real sum = 0;
    for (std::size_t k = 0; k < terms_; ++k)
      sum += (*shares)[k] * powers_[k][power];
    coefficients[terms_ - 1 - power] = static_cast<double>(sum);
  }
  return coefficients;
}

}  // namespace dispersion
