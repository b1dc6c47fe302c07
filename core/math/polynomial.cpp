#include "core/math/polynomial.h"

namespace dispersion {
namespace {

// The point between low and high where the sign changes, for a polynomial that changes it there
// once.
double bisect(std::span<const double> coefficients, double low, double high) {
  const bool rising = polynomial_value(coefficients, high) > 0;
  for (double middle = (low + high) / 2; middle != low && middle != high;
       middle = (low + high) / 2) {
    ((polynomial_value(coefficients, middle) > 0) == rising ? high : low) = middle;
  }
  return high;
}

}  // namespace

double polynomial_value(std::span<const double> coefficients, double x) {
  double value = 0;
  for (const double coefficient : coefficients)
    value = value * x + coefficient;
  return value;
}

std::vector<double> derivative_of(std::span<const double> coefficients) {
  if (coefficients.size() < 2) return {0};
  std::vector<double> slope;
  const std::size_t degree = coefficients.size() - 1;
  for (std::size_t i = 0; i < degree; ++i)
    slope.push_back(static_cast<double>(degree - i) * coefficients[i]);
  return slope;
}

std::vector<double> sign_changes(std::span<const double> coefficients, double low, double high) {
  std::vector<double> found;
  if (coefficients.size() < 2 || !(low < high)) return found;
  // Between two turning points the polynomial is monotone, so it has at most one zero there.
  std::vector<double> pieces = sign_changes(derivative_of(coefficients), low, high);
  pieces.push_back(high);
  double left = low;
  for (const double right : pieces) {
    if ((polynomial_value(coefficients, left) > 0) != (polynomial_value(coefficients, right) > 0)) {
      found.push_back(bisect(coefficients, left, right));
    }
    left = right;
  }
  return found;
}

}  // namespace dispersion
