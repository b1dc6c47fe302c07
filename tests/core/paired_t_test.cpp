#include "core/statistics/intervals_and_tests.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace dispersion {
namespace {

// With one and two degrees of freedom the distribution has a closed form.
TEST(StudentT, MatchesItsClosedForms) {
  for (const double t : {0.0, 0.01, 0.5, 1.0, 3.0, 40.0, 1e4}) {
    const double one = 1 - 2 / std::numbers::pi * std::atan(t);
    const double two = 1 - t / std::sqrt(2 + t * t);
    EXPECT_NEAR(student_t_p(t, 1), one, 1e-14);
    EXPECT_NEAR(student_t_p(t, 2), two, 1e-14);
    EXPECT_EQ(student_t_p(-t, 9), student_t_p(t, 9));
  }
}

TEST(StudentT, QuantileInvertsTheProbability) {
  EXPECT_NEAR(student_t_quantile(0.05, 9), 2.262157162798205, 1e-12);
  for (const double alpha : {0.9, 0.3, 0.01, 1e-6}) {
    EXPECT_NEAR(student_t_p(student_t_quantile(alpha, 4), 4) / alpha, 1, 1e-12);
  }
  EXPECT_THROW(student_t_quantile(0, 9), std::invalid_argument);
  EXPECT_THROW(student_t_quantile(0.05, 0), std::invalid_argument);
}

TEST(PairedT, WorksOutASmallExample) {
  const std::vector<double> a = {3, 5, 4};
  const std::vector<double> b = {1, 2, 3};
  const PairedT test = paired_t_test(a, b);  // differences 2, 3, 1
  EXPECT_DOUBLE_EQ(test.mean_difference, 2);
  EXPECT_DOUBLE_EQ(test.std_difference, 1);
  EXPECT_DOUBLE_EQ(test.t, 2 * std::sqrt(3.0));
  EXPECT_NEAR(test.p, 1 - test.t / std::sqrt(2 + test.t * test.t), 1e-14);
  EXPECT_EQ(test.degrees_of_freedom, 2);
  EXPECT_NEAR((test.interval.low + test.interval.high) / 2, 2, 1e-14);
}

TEST(PairedT, HandlesDifferencesThatAreAllEqual) {
  const std::vector<double> a = {1, 2, 3};
  const std::vector<double> b = {0, 1, 2};
  EXPECT_EQ(paired_t_test(a, b).p, 0);
  EXPECT_EQ(paired_t_test(a, a).p, 1);
  EXPECT_EQ(paired_t_test(a, a).t, 0);
}

TEST(PairedT, RefusesListsThatAreNoPairs) {
  const std::vector<double> one = {1};
  const std::vector<double> two = {1, 2};
  EXPECT_THROW(paired_t_test(one, one), std::invalid_argument);
  EXPECT_THROW(paired_t_test(one, two), std::invalid_argument);
}

TEST(McNemar, CountsCoinTossesExactly) {
  EXPECT_EQ(mcnemar_p(0, 0), 1);
  EXPECT_EQ(mcnemar_p(1, 0), 1);
  EXPECT_NEAR(mcnemar_p(0, 5), 2.0 / 32, 1e-16);
  EXPECT_NEAR(mcnemar_p(8, 2), 2.0 * (1 + 10 + 45) / 1024, 1e-15);
  EXPECT_EQ(mcnemar_p(5, 5), 1);
  EXPECT_EQ(mcnemar_p(14, 24), mcnemar_p(24, 14));
  EXPECT_THROW(mcnemar_p(-1, 3), std::invalid_argument);
}

}  // namespace
}  // namespace dispersion
