#pragma once

#include <span>
#include <vector>

#include "core/statistics/answer.h"

namespace dispersion {

// A least-squares polynomial.
struct PolynomialFit {
  std::vector<double> coefficients;  // power basis, highest power first, [degree + 1]
  double sum_of_squares = 0;         // of the residuals
  double residual = 0;               // their root mean square
};

// y against x, [samples]. Solved by QR in extended precision in Chebyshev polynomials on the range
// of x, where the columns are far from parallel, and turned into the power basis at the end. No fit
// for fewer samples than coefficients, or when x takes too few values to tell the powers apart.
// Throws std::invalid_argument for lists of different lengths, values that are not finite, and a
// degree below 0.
Answer<PolynomialFit> fit_polynomial(std::span<const double> x, std::span<const double> y,
                                     int degree);

}  // namespace dispersion
