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
  const OverSeeds two = over_seeds(std::vector<double>{0.49, 0.51});
  ASSERT_TRUE(two.interval);
  EXPECT_NEAR(*two.standard_deviation, 0.02 / std::sqrt(2), 1e-15);
  const double half = std::tan(0.95 * std::acos(0.0)) * 0.01;
  EXPECT_NEAR(two.interval->low, 0.5 - half, 1e-11);
  EXPECT_NEAR(two.interval->high, 0.5 + half, 1e-11);
}

TEST(OverSeeds, EqualSeedsHaveAMeanAndNoInterval) {
  for (const double share : {0.0, 0.1, 0.875, 1.0}) {
    const OverSeeds same = over_seeds(std::vector<double>(7, share));
    EXPECT_EQ(same.mean, share);
    EXPECT_EQ(*same.standard_deviation, 0);
    EXPECT_FALSE(same.interval);
    EXPECT_EQ(same.interval.reason, "all seeds equal");
  }
}

TEST(OverSeeds, AnIntervalEndsWhereSharesEnd) {
  const OverSeeds high = over_seeds(std::vector<double>{0.75, 1});
  EXPECT_EQ(high.interval->high, 1);
  EXPECT_EQ(high.interval->low, 0);  // two seeds so far apart say hardly anything
  const OverSeeds low = over_seeds(std::vector<double>{0.01, 0, 0.02, 0.01});
  EXPECT_EQ(low.interval->low, 0);
  EXPECT_GT(low.interval->high, 0.02);
  EXPECT_LT(low.interval->high, 0.03);
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
}

// Differences that are equal have no spread to measure them by.
TEST(ComparePairs, HasNoAnswerForEqualDifferences) {
  const auto compared = [](std::vector<int> a, std::vector<int> b, int sets) {
    const auto shares = [sets](const std::vector<int>& right) {
      std::vector<double> all;
      for (const int count : right)
        all.push_back(static_cast<double>(count) / sets);
      return all;
    };
    return compare_pairs(shares(a), shares(b));
  };
  for (const int sets : {4, 7, 10, 1000, 16384, 999'983}) {  // most divisions round
    const Answer<PairedT> equal = compared({1, 2, 4}, {0, 1, 3}, sets);
    EXPECT_FALSE(equal) << sets;
    EXPECT_EQ(equal.reason, "equal differences") << sets;
    EXPECT_FALSE(compared({sets, sets}, {sets - 3, sets - 3}, sets)) << sets;
  }
  // One set of a thousand million more makes a difference.
  constexpr int kMost = 1'000'000'000;
  const Answer<PairedT> unlike = compared({kMost, kMost - 7}, {kMost - 2, kMost - 10}, kMost);
  ASSERT_TRUE(unlike);
  EXPECT_GT(unlike->p, 0);
  EXPECT_LT(unlike->p, 1);
}

}  // namespace
}  // namespace dispersion
