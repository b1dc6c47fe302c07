#pragma once

#include <span>
#include <vector>

namespace dispersion {

// Polynomials in the power basis, highest power first: coefficients[0] x^d + ... + coefficients[d].

// Horner.
double polynomial_value(std::span<const double> coefficients, double x);

// Coefficients of the derivative; {0} for a constant.
std::vector<double> derivative_of(std::span<const double> coefficients);

// Where the polynomial changes its sign within (low, high], ascending, to the last bit. Places
// where it only touches 0 are none.
std::vector<double> sign_changes(std::span<const double> coefficients, double low, double high);

}  // namespace dispersion
