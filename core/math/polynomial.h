#pragma once

#include <span>
#include <vector>

namespace dispersion {

// Polynomials in the power basis, highest power first: coefficients[0] x^d + ... + coefficients[d].

// The value at x (Horner's scheme).
double polynomial_value(std::span<const double> coefficients, double x);

// The coefficients of the derivative; {0} for a constant.
std::vector<double> derivative_of(std::span<const double> coefficients);

// The points in (low, high] where the polynomial changes its sign, ascending and exact to the last
// bit. Zeros without a change of sign are not included.
std::vector<double> sign_changes(std::span<const double> coefficients, double low, double high);

}  // namespace dispersion
