#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <vector>

#include "core/head/parameters.h"
#include "core/math/exponential.h"
#include "core/math/gelu.h"
#include "core/math/least_squares.h"
#include "core/math/product.h"

namespace dispersion {
namespace {

TEST(Exponential, StaysWithinOneAndAHalfUnitsInTheLastPlace) {
  double worst = 0;
  for (int i = 0; i <= 2'000'000; ++i) {
    const float x = static_cast<float>(-87.3 + i * (175.3 / 2'000'000));
    const double truth = std::exp(static_cast<double>(x));
    const float rounded = static_cast<float>(truth);
    const double unit = static_cast<double>(std::nextafter(rounded, 1e38f)) - rounded;
    worst = std::max(worst, std::abs(exponential(x) - truth) / unit);
  }
  EXPECT_LT(worst, 1.5);
  EXPECT_GT(worst, 0.4);  // a perfect score would mean that nothing was compared
}

TEST(Exponential, HandlesTheEnds) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(exponential(-kInfinity), 0.0f);
  EXPECT_EQ(exponential(-88.0f), 0.0f);
  EXPECT_EQ(exponential(0.0f), 1.0f);
  EXPECT_TRUE(std::isfinite(exponential(kInfinity)));
  EXPECT_TRUE(std::isnan(exponential(std::numeric_limits<float>::quiet_NaN())));
}

// The definition, in double: x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))).
double gelu_definition(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

TEST(Gelu, AgreesWithItsDefinitionAndItsSlopeWithDifferences) {
  std::vector<float> values;
  for (int i = -1200; i <= 1200; ++i)
    values.push_back(static_cast<float>(i) * 0.01f);
  values.push_back(-100.0f);
  values.push_back(100.0f);
  std::vector<float> results = values;
  std::vector<float> slopes(values.size());
  gelu_in_place(results.data(), slopes.data(), results.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = values[i];
    const double step = 1e-5;
    const double slope = (gelu_definition(x + step) - gelu_definition(x - step)) / (2 * step);
    EXPECT_NEAR(results[i], gelu_definition(x), 2e-7 * std::max(1.0, std::abs(x))) << x;
    EXPECT_NEAR(slopes[i], slope, 1e-6) << x;
  }
  std::vector<float> alone = values;
  gelu_in_place<float>(alone.data(), nullptr, alone.size());
  EXPECT_EQ(alone, results);
}

TEST(Gelu, DoubleAgreesWithItsDefinition) {
  std::vector<double> values = {-30, -5, -1, -1e-3, 0, 0.3, 2, 40};
  std::vector<double> results = values;
  gelu_in_place<double>(results.data(), nullptr, results.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(results[i], gelu_definition(values[i]), 1e-15 * std::max(1.0, std::abs(values[i])));
  }
}

template <class Scalar>
void check_products(double tolerance) {
  const int shapes[][3] = {{1, 1, 1}, {3, 5, 7}, {33, 10, 128}, {128, 128, 5}, {336, 128, 128}};
  for (const auto& [m, n, k] : shapes) {
    const auto value = [](int i) { return static_cast<Scalar>(std::sin(i * 0.7 + 0.3)); };
    std::vector<Scalar> a(m * k), a_transposed(m * k), b(k * n), b_transposed(k * n);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < k; ++j)
        a[i * k + j] = a_transposed[j * m + i] = value(i * k + j);
    }
    for (int i = 0; i < k; ++i) {
      for (int j = 0; j < n; ++j)
        b[i * n + j] = b_transposed[j * k + i] = value(1000 + i * n + j);
    }
    for (const Transpose ta : {Transpose::kNo, Transpose::kYes}) {
      for (const Transpose tb : {Transpose::kNo, Transpose::kYes}) {
        std::vector<Scalar> c(m * n, Scalar(2));
        const Scalar* left = ta == Transpose::kYes ? a_transposed.data() : a.data();
        const Scalar* right = tb == Transpose::kYes ? b_transposed.data() : b.data();
        multiply(ta, tb, m, n, k, left, right, Into::kAdd, c.data());
        std::vector<Scalar> replaced(m * n, Scalar(5));
        multiply(ta, tb, m, n, k, left, right, Into::kReplace, replaced.data());
        for (int i = 0; i < m; ++i) {
          for (int j = 0; j < n; ++j) {
            double truth = 0;
            for (int l = 0; l < k; ++l) {
              truth += static_cast<double>(a[i * k + l]) * static_cast<double>(b[l * n + j]);
            }
            ASSERT_NEAR(c[i * n + j], truth + 2, tolerance * k);
            ASSERT_NEAR(replaced[i * n + j], truth, tolerance * k);
          }
        }
      }
    }
  }
}

TEST(Product, AgreesWithTheSumInEveryOrientation) {
  check_products<float>(1e-6);
  check_products<double>(1e-15);
}

// Columns of very different lengths, so that the pivoting has to choose.
std::vector<Column> columns_to_fit(std::size_t rows) {
  std::vector<Column> columns(4, Column(rows));
  for (std::size_t i = 0; i < rows; ++i) {
    const long double x = static_cast<long double>(i) / static_cast<long double>(rows);
    columns[0][i] = 1e-3L;
    columns[1][i] = std::sin(7 * x);
    columns[2][i] = 1e4L * x * x;
    columns[3][i] = std::exp(x);
  }
  return columns;
}

TEST(LeastSquares, AgreesWithEigensPivotedQr) {
  constexpr std::size_t kRows = 40;
  const std::vector<Column> columns = columns_to_fit(kRows);
  Eigen::MatrixXd matrix(kRows, 4);
  Eigen::VectorXd right(kRows);
  Column target(kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    target[i] = std::cos(static_cast<long double>(3 * i));
    right(static_cast<Eigen::Index>(i)) = static_cast<double>(target[i]);
    for (std::size_t j = 0; j < 4; ++j)
      matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          static_cast<double>(columns[j][i]);
  }
  const auto weights = least_squares(columns, target, 1e-12L);
  ASSERT_TRUE(weights);
  const Eigen::VectorXd expected = matrix.colPivHouseholderQr().solve(right);
  for (std::size_t j = 0; j < 4; ++j) {
    const double value = expected(static_cast<Eigen::Index>(j));
    EXPECT_NEAR(static_cast<double>((*weights)[j]), value, 1e-10 * std::abs(value));
  }
}

TEST(LeastSquares, RefusesAColumnInTheSpanOfTheOthers) {
  std::vector<Column> columns = columns_to_fit(9);
  for (std::size_t i = 0; i < 9; ++i)
    columns[1][i] = 3 * columns[3][i] - columns[2][i];
  EXPECT_FALSE(least_squares(columns, Column(9, 1), 1e-12L));
  EXPECT_FALSE(least_squares({Column(9, 0)}, Column(9, 1), 1e-12L));
}

TEST(InitialParameters, FollowTheTruncatedNormalOfFlax) {
  const Parameters<float> head = initial_parameters({}, 5);
  for (const TensorSlot& slot : parameter_layout(head.shape)) {
    const std::span<const float> values = std::span(head.values).subspan(slot.offset, slot.size());
    double squares = 0;
    double largest = 0;
    for (const float value : values) {
      squares += static_cast<double>(value) * value;
      largest = std::max(largest, std::abs(static_cast<double>(value)));
    }
    if (!slot.is_kernel) {
      EXPECT_EQ(largest, 0) << slot.name;
      continue;
    }
    // Unit variance after the cut is 1 / fan_in; the largest lies below two raw deviations.
    const double variance = squares / static_cast<double>(slot.size());
    EXPECT_NEAR(variance * slot.rows, 1, 5 / std::sqrt(static_cast<double>(slot.size())))
        << slot.name;
    EXPECT_LE(largest, 2.001 * std::sqrt(1.0 / slot.rows) / 0.87962566) << slot.name;
  }
  EXPECT_EQ(head, initial_parameters({}, 5));
  EXPECT_NE(head.values, initial_parameters({}, 6).values);
  EXPECT_EQ(parameter_count({}), 118'666u);
}

}  // namespace
}  // namespace dispersion
