#pragma once

#include <cstddef>
#include <optional>
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
// for fewer samples than coefficients, when x takes too few values to tell the powers apart, or
// when x lies in so narrow a range that doubles cannot hold the polynomial in powers of x. A
// constant y gives that constant exactly, without the bumps of rounding. Throws
// std::invalid_argument for lists of different lengths, values that are not finite, and a degree
// below 0.
Answer<PolynomialFit> fit_polynomial(std::span<const double> x, std::span<const double> y,
                                     int degree);

// Least-squares polynomials of the same samples under many weights, e.g. how often resampling drew
// each: by the normal equations in polynomials that are orthonormal over the samples, which stay
// far from singular under other weights. As exact as fit_polynomial(), and a hundred times as fast.
class WeightedPolynomials {
 public:
  // As for fit_polynomial(), which must have a fit for them.
  WeightedPolynomials(std::span<const double> x, std::span<const double> y, int degree);

  // Highest power first. Nothing where the samples with a weight do not tell the powers apart.
  // weights: [samples], not negative.
  std::optional<std::vector<double>> coefficients(std::span<const int> weights) const;

 private:
  std::size_t terms_;
  std::vector<double> y_;
  std::vector<double> basis_;  // the orthonormal polynomials at every sample: [samples, terms]
  std::vector<std::vector<long double>> powers_;  // [terms] of them, lowest power first
};

}  // namespace dispersion
