#include "core/statistics/polynomial_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

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
