#pragma once

#include <cstdint>
#include <span>

#include "core/statistics/answer.h"

namespace dispersion {

struct Interval {
  double low = 0;
  double high = 0;
  bool is_cut = false;  // it went on beyond low or high, where no value can be
};

// The part of `interval` that lies in [low, high]; is_cut tells whether that is less than all.
Interval cut(Interval interval, double low, double high);

// The Wilson score interval of a proportion, without continuity correction. `z`: the two-sided
// normal quantile, by default for 95 %. Without trials it is [0, 1].
Interval wilson_interval(std::int64_t successes, std::int64_t trials, double z = 1.959963984540054);

// Student's t-test on pairs (a, b), such as the accuracies of one seed under two transforms.
struct PairedT {
  double mean_a = 0;
  double mean_b = 0;
  double std_a = 0;  // with n - 1
  double std_b = 0;
  double mean_difference = 0;  // of a - b
  double std_difference = 0;
  double t = 0;
  double p = 1;  // two-sided
  int degrees_of_freedom = 0;
  Interval interval;  // of the mean difference, 95 %
};

// a, b: [pairs], at least 2; throws std::invalid_argument otherwise. Differences that are all equal
// give an infinite t and p = 0, or t = 0 and p = 1 when they are 0.
PairedT paired_t_test(std::span<const double> a, std::span<const double> b);

// Two-sided p of Student's t: P(|T| >= |t|).
double student_t_p(double t, double degrees_of_freedom);

// The t for which P(|T| <= t) = 1 - alpha, such as 2.262 for alpha = 0.05 and 9 degrees of freedom.
// Throws std::invalid_argument unless 0 < alpha < 1 and degrees_of_freedom > 0.
double student_t_quantile(double alpha, double degrees_of_freedom);

// The probability that the mean of `others` further seeds of the same experiment lies in the 95 %
// t-interval of the mean of `seeds` seeds, for values that are normally distributed: 0.856 for ten
// and ten. It is less than 95 % because both means vary: their difference over s sqrt(1 / seeds + 1
// / others), with the deviation s of the first, is Student's t with seeds - 1 degrees of freedom,
// and the interval reaches to t s / sqrt(seeds). Throws std::invalid_argument for fewer than two
// seeds, of which there is no interval, or no others.
double repeat_inside(int seeds, int others);

// The p of the exact two-sided McNemar test of two classifiers on the same sets. `b`, `c`: the
// numbers of sets that only the first or only the second classified correctly. p = min(1, 2 P(X <=
// min(b, c))) with X ~ Bin(b + c, 1/2), so 1 when they never differ. Throws std::invalid_argument
// for negative counts.
double mcnemar_p(std::int64_t b, std::int64_t c);

// Statistics of a share over several seeds.
struct OverSeeds {
  int seeds = 0;
  double mean = 0;                    // 0 without seeds
  Answer<double> standard_deviation;  // between seeds, with n - 1
  // Of the mean, 95 %, by Student's t with n - 1, cut to [0, 1], which no share leaves. There is
  // none for fewer than two seeds ("needs two seeds") nor when all are equal ("all seeds equal"):
  // a spread of 0 is no measure of how far other seeds would lie from these.
  Answer<Interval> interval;
};

// shares: [seeds], each in [0, 1].
OverSeeds over_seeds(std::span<const double> shares);

// The paired t-test of two transforms on the same seeds, [seeds] each. There is no answer for fewer
// than two seeds ("needs two seeds"), when every pair is equal ("no difference"), and when all
// pairs differ by the same ("equal differences"), up to rounding: without a spread there is neither
// a t nor an interval. Throws std::invalid_argument for lists of different lengths.
Answer<PairedT> compare_pairs(std::span<const double> a, std::span<const double> b);

}  // namespace dispersion
