#include "core/statistics/intervals_and_tests.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>
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
  EXPECT_TRUE(high.interval->is_cut);
  EXPECT_FALSE(over_seeds(std::vector<double>{0.49, 0.51, 0.5}).interval->is_cut);
  const OverSeeds low = over_seeds(std::vector<double>{0.01, 0, 0.02, 0.01});
  EXPECT_EQ(low.interval->low, 0);
  EXPECT_GT(low.interval->high, 0.02);
  EXPECT_LT(low.interval->high, 0.03);
}

// How often the mean of a second experiment of the same kind lies in the interval of the first.
double simulated_inside(int seeds, int others, int experiments) {
  std::mt19937_64 random(static_cast<unsigned>(100 * seeds + others));
  std::normal_distribution<double> share(0.5, 0.01);
  int inside = 0;
  for (int i = 0; i < experiments; ++i) {
    std::vector<double> first(static_cast<std::size_t>(seeds));
    for (double& value : first)
      value = share(random);
    double mean = 0;
    for (int other = 0; other < others; ++other)
      mean += share(random) / others;
    const Interval interval = *over_seeds(first).interval;
    inside += mean >= interval.low && mean <= interval.high;
  }
  return static_cast<double>(inside) / experiments;
}

TEST(RepeatInside, IsWhatASimulationCounts) {
  constexpr int kExperiments = 10'000;
  for (const auto& [seeds, others] : {std::pair{2, 10}, {3, 10}, {10, 10}, {10, 2}, {30, 10}}) {
    const double p = repeat_inside(seeds, others);
    const double error = std::sqrt(p * (1 - p) / kExperiments);
    EXPECT_NEAR(simulated_inside(seeds, others, kExperiments), p, 4 * error) << seeds << others;
  }
}

TEST(RepeatInside, HasTheClosedFormsOfItsLimits) {
  EXPECT_NEAR(repeat_inside(10, 10), 0.85585, 5e-6);
  const double pi = std::acos(-1.0);
  // One degree of freedom: P(|T| <= t) = 2 / pi atan t.
  EXPECT_NEAR(repeat_inside(2, 2), 2 / pi * std::atan(std::tan(0.475 * pi) / std::sqrt(2)), 1e-12);
  EXPECT_NEAR(repeat_inside(5, 1'000'000'000), 0.95, 1e-8);  // a mean that is known
  EXPECT_THROW(repeat_inside(1, 10), std::invalid_argument);
  EXPECT_THROW(repeat_inside(10, 0), std::invalid_argument);
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
