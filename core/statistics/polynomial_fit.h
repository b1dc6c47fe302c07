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
// for fewer samples than coefficients, when x takes too few values to tell the powers apart, or when
// x lies in so narrow a range that doubles cannot hold the polynomial in powers of x.
// Throws std::invalid_argument for lists of different lengths, values that are not finite, and a
// degree below 0.
Answer<PolynomialFit> fit_polynomial(std::span<const double> x, std::span<const double> y,
                                     int degree);

// Least-squares polynomials of the same samples under many weights, e.g. how often resampling drew
// each: by the normal equations in Chebyshev polynomials, whose sums over the samples are all that
// the weights take.
class WeightedPolynomials {
 public:
  // As for fit_polynomial(), but with at least one sample.
  WeightedPolynomials(std::span<const double> x, std::span<const double> y, int degree);

  // Highest power first. Nothing where the samples with a weight do not tell the powers apart.
  // weights: [samples], not negative.
  std::optional<std::vector<double>> coefficients(std::span<const int> weights) const;

 private:
  std::size_t terms_;
  long double scale_ = 1;  // u = scale x + shift lies in [-1, 1]
  long double shift_ = 0;
  // T_0(u) ... T_(2 degree)(u), then y T_0(u) ... y T_degree(u): [samples, 3 degree + 2]
  std::vector<double> terms_of_sample_;
};

}  // namespace dispersion
