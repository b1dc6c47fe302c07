#include "core/statistics/intervals_and_tests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace dispersion {
namespace {

TEST(WilsonInterval, HasExactEndsWithoutFailuresOrSuccesses) {
  const Interval none = wilson_interval(0, 1);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.7934506856227626, 1e-15);
  const Interval all = wilson_interval(1, 1);
  EXPECT_NEAR(all.low, 0.20654931437723745, 1e-15);
  EXPECT_EQ(all.high, 1);
}

TEST(WilsonInterval, ContainsTheShareAndShrinksLikeTheRootOfTheTrials) {
  const Interval few = wilson_interval(80, 100);
  const Interval many = wilson_interval(8000, 10000);
  EXPECT_LT(few.low, 0.8);
  EXPECT_GT(few.high, 0.8);
  EXPECT_NEAR((few.high - few.low) / (many.high - many.low), 10, 0.2);
}

TEST(WilsonInterval, IsTheSameForFailuresMirrored) {
  const Interval share = wilson_interval(3, 17);
  const Interval rest = wilson_interval(14, 17);
  EXPECT_NEAR(share.low, 1 - rest.high, 1e-15);
  EXPECT_NEAR(share.high, 1 - rest.low, 1e-15);
}

TEST(WilsonInterval, KnowsNothingWithoutTrials) {
  const Interval interval = wilson_interval(0, 0);
  EXPECT_EQ(interval.low, 0);
  EXPECT_EQ(interval.high, 1);
}

TEST(WilsonInterval, RefusesImpossibleCounts) {
  EXPECT_THROW(wilson_interval(2, 1), std::invalid_argument);
  EXPECT_THROW(wilson_interval(-1, 1), std::invalid_argument);
  EXPECT_THROW(wilson_interval(0, -1), std::invalid_argument);
}

}  // namespace
}  // namespace dispersion
