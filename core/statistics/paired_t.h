#pragma once

#include <span>

#include "core/statistics/interval.h"

namespace dispersion {

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

}  // namespace dispersion
