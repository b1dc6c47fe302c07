#pragma once

#include <cstdint>
#include <span>

#include "core/statistics/answer.h"

namespace dispersion {

struct Interval {
  double low = 0;
  double high = 0;
};

// Wilson score interval of a share (no continuity correction), 95 % by default: z is the two-sided
// normal quantile. trials = 0 gives [0, 1].
Interval wilson_interval(std::int64_t successes, std::int64_t trials, double z = 1.959963984540054);

// Student's t-test on pairs, such as one seed's accuracy under two transforms.
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

// The t for which P(|T| <= t) = 1 - alpha, e.g. 2.262 for alpha = 0.05 and 9 degrees of freedom.
double student_t_quantile(double alpha, double degrees_of_freedom);

// Exact two-sided McNemar test of two classifiers on the same sets: b only the first got right, c
// only the second. p = min(1, 2 P(X <= min(b, c))), X ~ Bin(b + c, 1/2); 1 when they never differ.
// Throws std::invalid_argument for negative counts.
double mcnemar_p(std::int64_t b, std::int64_t c);

// One quantity measured on several seeds.
struct OverSeeds {
  int seeds = 0;
  double mean = 0;                    // 0 without seeds
  Answer<double> standard_deviation;  // between seeds, with n - 1
  Answer<Interval> interval;          // of the mean, 95 %, Student's t with n - 1
};

OverSeeds over_seeds(std::span<const double> values);

// Two transforms on the same seeds, [seeds] each. "no difference" when every pair is equal, "needs
// two seeds" below two. Throws std::invalid_argument for lists of different lengths.
Answer<PairedT> compare_pairs(std::span<const double> a, std::span<const double> b);

}  // namespace dispersion
