#include "core/statistics/polynomial_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/math/polynomial.h"

namespace dispersion {
namespace {

std::vector<double> evenly(double low, double high, int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i)
    values.push_back(low + (high - low) * i / (count - 1));
  return values;
}

TEST(PolynomialFit, FindsThePolynomialThatMadeThePoints) {
  const std::vector<double> truth = {-0.037, 0.481, -2.3, 4.917, -1.791};
  for (const double low : {0.01, 5.0}) {
    const std::vector<double> x = evenly(low, 6, 40);
    std::vector<double> y;
    for (const double h : x)
      y.push_back(polynomial_value(truth, h));
    const auto fit = fit_polynomial(x, y, 4);
    ASSERT_TRUE(fit) << fit.reason;
    // What rounding of y to double allows where the powers are nearly parallel.
    const double tolerance = low < 1 ? 1e-13 : 1e-9;
    for (int i = 0; i < 5; ++i)
      EXPECT_NEAR(fit->coefficients[i] / truth[i], 1, tolerance);
    EXPECT_LT(fit->residual, 1e-14);
  }
}

// The residuals of a least-squares fit are orthogonal to every power of x.
TEST(PolynomialFit, LeavesResidualsThatNoPowerExplains) {
  const std::vector<double> x = evenly(0.2, 5.9, 60);
  std::vector<double> y;
  for (std::size_t i = 0; i < x.size(); ++i)
    y.push_back(std::sin(3 * x[i]) + static_cast<double>(i % 7));
  const auto fit = fit_polynomial(x, y, 4);
  ASSERT_TRUE(fit);
  double squares = 0;
  for (int power = 0; power <= 4; ++power) {
    double product = 0;
    squares = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double residual = y[i] - polynomial_value(fit->coefficients, x[i]);
      squares += residual * residual;
      product += residual * std::pow(x[i] / 6, power);
    }
    EXPECT_NEAR(product, 0, 1e-10);
  }
  EXPECT_NEAR(fit->sum_of_squares, squares, 1e-9);
  EXPECT_NEAR(fit->residual, std::sqrt(squares / 60), 1e-11);
}

TEST(PolynomialFit, AConstantIsTheMean) {
  const auto fit = fit_polynomial(std::vector<double>{2, 2, 2}, std::vector<double>{1, 2, 6}, 0);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->coefficients[0], 3, 1e-15);
}

// Without the bumps of rounding, in which one could see a peak.
TEST(PolynomialFit, AConstantIsItselfInEveryDegree) {
  const std::vector<double> x = evenly(0.67, 0.69, 39);
  const auto fit = fit_polynomial(x, std::vector<double>(39, 0.1), 4);
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->coefficients, (std::vector<double>{0, 0, 0, 0, 0.1}));
  EXPECT_EQ(fit->residual, 0);
}

// Of samples a billionth apart the powers cancel to nothing.
TEST(PolynomialFit, RefusesWhatDoublesCannotHold) {
  std::vector<double> x = evenly(2.77, 2.77 + 1e-9, 40);
  std::vector<double> y;
  for (std::size_t i = 0; i < x.size(); ++i)
    y.push_back(static_cast<double>(i % 3));
  const auto fit = fit_polynomial(x, y, 4);
  EXPECT_FALSE(fit);
  EXPECT_NE(fit.reason.find("too close together"), std::string::npos) << fit.reason;
}

// A weight of k is a sample taken k times, and 0 one that is left out.
TEST(WeightedPolynomials, AreFitsToTheSamplesTakenSoOften) {
  for (const double low : {0.2, 5.0}) {
    const std::vector<double> x = evenly(low, 5.9, 50);
    std::vector<double> y;
    std::vector<int> weights;
    std::vector<double> taken_x;
    std::vector<double> taken_y;
    for (std::size_t i = 0; i < x.size(); ++i) {
      y.push_back(std::sin(3 * x[i]));
      weights.push_back(static_cast<int>(i * i % 4));
      taken_x.insert(taken_x.end(), static_cast<std::size_t>(weights[i]), x[i]);
      taken_y.insert(taken_y.end(), static_cast<std::size_t>(weights[i]), y[i]);
    }
    const WeightedPolynomials polynomials(x, y, 4);
    const auto weighted = polynomials.coefficients(weights);
    const auto taken = fit_polynomial(taken_x, taken_y, 4);
    ASSERT_TRUE(weighted && taken);
    for (const double at : x)
      EXPECT_NEAR(polynomial_value(*weighted, at), polynomial_value(taken->coefficients, at), 1e-8);
    std::vector<int> four(x.size(), 0);
    for (const std::size_t i : {3U, 9U, 20U, 41U})
      four[i] = 2;
    EXPECT_FALSE(polynomials.coefficients(four));
  }
}

TEST(PolynomialFit, SaysWhyThereIsNone) {
  const std::vector<double> four = {1, 2, 3, 4};
  const auto few = fit_polynomial(four, four, 4);
  EXPECT_FALSE(few);
  EXPECT_NE(few.reason.find("too few samples"), std::string::npos) << few.reason;
  EXPECT_NE(few.reason.find("at least 5, there are 4"), std::string::npos) << few.reason;
  const std::vector<double> repeated = {1, 1, 2, 2, 3, 3, 4, 4};
  const auto singular = fit_polynomial(repeated, repeated, 4);
  EXPECT_FALSE(singular);
  EXPECT_NE(singular.reason.find("singular"), std::string::npos) << singular.reason;
  const std::vector<double> nearly = {1, 2, 3, 4, std::nextafter(4, 5)};
  EXPECT_FALSE(fit_polynomial(nearly, nearly, 4));
  EXPECT_FALSE(fit_polynomial({}, {}, 4));
}

TEST(PolynomialFit, RefusesWhatAreNoSamples) {
  const std::vector<double> x = {1, 2, 3};
  EXPECT_THROW(fit_polynomial(x, std::vector<double>{1}, 1), std::invalid_argument);
  EXPECT_THROW(fit_polynomial(x, x, -1), std::invalid_argument);
  const std::vector<double> nan = {1, std::numeric_limits<double>::quiet_NaN(), 3};
  EXPECT_THROW(fit_polynomial(nan, x, 1), std::invalid_argument);
}

}  // namespace
}  // namespace dispersion
