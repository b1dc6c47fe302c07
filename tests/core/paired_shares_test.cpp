#include "core/statistics/paired_shares.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace dispersion {
namespace {

// ln of the number of ways to choose.
double ln_choose(int n, int k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

// The probability that the interval holds the true difference, summed over all outcomes.
double coverage(int trials, double only_first, double only_second) {
  double covered = 0;
  for (int b = 0; b <= trials; ++b) {
    for (int c = 0; b + c <= trials; ++c) {
      const double chance = std::exp(ln_choose(trials, b) + ln_choose(trials - b, c) +
                                     b * std::log(only_first) + c * std::log(only_second) +
                                     (trials - b - c) * std::log(1 - only_first - only_second));
      const Interval interval = compare_shares(trials, b, c).interval;
      const double truth = only_second - only_first;
      if (interval.low <= truth && truth <= interval.high) covered += chance;
    }
  }
  return covered;
}

TEST(PairedShares, DifferenceIsThatOfTheDisagreements) {
  const PairedShares shares = compare_shares(200, 10, 24);
  EXPECT_EQ(shares.difference, 0.07);
  EXPECT_LT(shares.interval.low, 0.07);
  EXPECT_GT(shares.interval.high, 0.07);
  // Bonett and Price by hand: p1 = 11/202, p2 = 25/202.
  const double middle = 14.0 / 202;
  const double half = 1.959963984540054 * std::sqrt((36.0 / 202 - middle * middle) / 202);
  EXPECT_NEAR(shares.interval.low, middle - half, 1e-15);
  EXPECT_NEAR(shares.interval.high, middle + half, 1e-15);
}

TEST(PairedShares, EqualsAreZeroAndSwapNegates) {
  EXPECT_EQ(compare_shares(100, 0, 0).difference, 0);
  EXPECT_EQ(compare_shares(100, 9, 9).difference, 0);
  const PairedShares there = compare_shares(500, 31, 12);
  const PairedShares back = compare_shares(500, 12, 31);
  EXPECT_EQ(there.difference, -back.difference);
  EXPECT_EQ(there.interval.low, -back.interval.high);
  EXPECT_EQ(there.interval.high, -back.interval.low);
}

TEST(PairedShares, IntervalHoldsTheTruthInAbout95PercentOfAllCases) {
  for (const int trials : {20, 60}) {
    for (const double first : {0.02, 0.1, 0.3}) {
      for (const double second : {0.02, 0.1, 0.3}) {
        EXPECT_GT(coverage(trials, first, second), 0.93) << trials << " " << first << " " << second;
        EXPECT_LT(coverage(trials, first, second), 1) << trials << " " << first << " " << second;
      }
    }
  }
}

TEST(PairedShares, StaysInItsRangeAndRefusesWhatCannotBe) {
  EXPECT_EQ(compare_shares(0, 0, 0).interval.low, -1);
  EXPECT_EQ(compare_shares(0, 0, 0).interval.high, 1);
  EXPECT_LE(compare_shares(1, 0, 1).interval.high, 1);
  EXPECT_THROW(compare_shares(3, 2, 2), std::invalid_argument);
  EXPECT_THROW(compare_shares(3, -1, 2), std::invalid_argument);
}

}  // namespace
}  // namespace dispersion
