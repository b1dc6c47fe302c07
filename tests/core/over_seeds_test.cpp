#include "core/statistics/intervals_and_tests.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace dispersion {
namespace {

TEST(OverSeeds, OneSeedHasAMeanAndNothingElse) {
  const OverSeeds one = over_seeds(std::vector<double>{0.5});
  EXPECT_EQ(one.seeds, 1);
  EXPECT_EQ(one.mean, 0.5);
  EXPECT_FALSE(one.interval);
  EXPECT_EQ(one.interval.reason, "needs two seeds");
  EXPECT_EQ(one.standard_deviation.reason, "needs two seeds");
  EXPECT_EQ(over_seeds({}).mean, 0);
}

// With one degree of freedom the quantile is tan(0.95 pi / 2).
TEST(OverSeeds, TwoSeedsHaveTheClosedForm) {
  const OverSeeds two = over_seeds(std::vector<double>{0.25, 0.75});
  ASSERT_TRUE(two.interval);
  EXPECT_DOUBLE_EQ(*two.standard_deviation, std::sqrt(0.125));
  const double half = std::tan(0.95 * std::acos(0.0)) * 0.25;
  EXPECT_NEAR(two.interval->low, 0.5 - half, 1e-11);
  EXPECT_NEAR(two.interval->high, 0.5 + half, 1e-11);
}

TEST(OverSeeds, EqualSeedsHaveNoSpread) {
  const OverSeeds same = over_seeds(std::vector<double>(7, 0.1));
  EXPECT_EQ(same.mean, 0.1);
  EXPECT_EQ(*same.standard_deviation, 0);
  EXPECT_EQ(same.interval->low, 0.1);
  EXPECT_EQ(same.interval->high, 0.1);
}

TEST(ComparePairs, SaysWhyThereIsNoTest) {
  const std::vector<double> a = {0.1, 0.2, 0.3};
  EXPECT_EQ(compare_pairs(a, a).reason, "no difference");
  EXPECT_EQ(compare_pairs(std::vector<double>{1}, std::vector<double>{2}).reason,
            "needs two seeds");
  EXPECT_EQ(compare_pairs({}, {}).reason, "needs two seeds");
  EXPECT_THROW(compare_pairs(a, std::vector<double>{1}), std::invalid_argument);
}

TEST(ComparePairs, IsThePairedTest) {
  const std::vector<double> a = {3, 5, 4};
  const std::vector<double> b = {1, 2, 3};
  const Answer<PairedT> test = compare_pairs(a, b);
  ASSERT_TRUE(test);
  EXPECT_EQ(test->p, paired_t_test(a, b).p);
  // Differences that are equal and not 0: as sure as can be, and no NaN.
  const Answer<PairedT> sure = compare_pairs(std::vector<double>{1, 2}, std::vector<double>{0, 1});
  EXPECT_EQ(sure->p, 0);
  EXPECT_EQ(sure->interval.low, 1);
}

}  // namespace
}  // namespace dispersion
