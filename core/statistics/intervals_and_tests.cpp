#include "core/statistics/intervals_and_tests.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace dispersion {

Interval cut(Interval interval, double low, double high) {
  const bool is_cut = interval.is_cut || interval.low < low || interval.high > high;
  return {std::clamp(interval.low, low, high), std::clamp(interval.high, low, high), is_cut};
}

Interval wilson_interval(std::int64_t successes, std::int64_t trials, double z) {
  if (trials < 0 || successes < 0 || successes > trials) {
    throw std::invalid_argument("a share needs 0 <= successes <= trials; given " +
                                std::to_string(successes) + " of " + std::to_string(trials));
  }
  if (trials == 0) return {0, 1};
  const double n = static_cast<double>(trials);
  const double share = static_cast<double>(successes) / n;
  const double weight = z * z / n;
  const double centre = (share + weight / 2) / (1 + weight);
  const double half = z * std::sqrt((share * (1 - share) + weight / 4) / n) / (1 + weight);
  // The ends 0 and 1 are set exactly, because rounding would miss them by a little.
  return {successes == 0 ? 0 : std::max(0.0, centre - half),
          successes == trials ? 1 : std::min(1.0, centre + half)};
}

namespace {

// Continued fraction of the incomplete beta function, evaluated by the modified method of Lentz;
// converges quickly for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  constexpr int kMostTerms = 10000;
  const auto away_from_zero = [](double v) { return std::abs(v) < kTiny ? kTiny : v; };
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int m = 1; m <= kMostTerms; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    const double change = d * c;
    fraction *= change;
    if (std::abs(change - 1) < std::numeric_limits<double>::epsilon()) break;
  }
  return fraction;
}

// I_x(a, b), the regularised incomplete beta function.
double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values)
    sum += value;
  return sum / static_cast<double>(values.size());
}

double standard_deviation(std::span<const double> values, double centre) {
  double squares = 0;
  for (const double value : values)
    squares += (value - centre) * (value - centre);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

}  // namespace

double student_t_p(double t, double degrees_of_freedom) {
  if (std::isinf(t)) return 0;
  return incomplete_beta(degrees_of_freedom / 2, 0.5,
                         degrees_of_freedom / (degrees_of_freedom + t * t));
}

double student_t_quantile(double alpha, double degrees_of_freedom) {
  if (!(alpha > 0 && alpha < 1) || !(degrees_of_freedom > 0)) {
    throw std::invalid_argument("a t quantile needs 0 < alpha < 1 and degrees of freedom above 0");
  }
  double low = 0;
  double high = 1;
  while (student_t_p(high, degrees_of_freedom) > alpha)
    high *= 2;
  // Bisects to the last bit.
  for (double middle = (low + high) / 2; middle != low && middle != high;
       middle = (low + high) / 2) {
    (student_t_p(middle, degrees_of_freedom) > alpha ? low : high) = middle;
  }
  return high;
}

double repeat_inside(int seeds, int others) {
  if (seeds < 2 || others < 1) {
    throw std::invalid_argument("an interval needs two seeds, and a mean beside it one");
  }
  const double reach = student_t_quantile(0.05, seeds - 1);
  const double difference = std::sqrt(1 + static_cast<double>(seeds) / others);
  return 1 - student_t_p(reach / difference, seeds - 1);
}

PairedT paired_t_test(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size() || a.size() < 2) {
    throw std::invalid_argument("a paired t-test needs two lists of equal length, 2 or more");
  }
  std::vector<double> difference;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference.push_back(a[i] - b[i]);
  PairedT test;
  test.mean_a = mean(a);
  test.mean_b = mean(b);
  test.std_a = standard_deviation(a, test.mean_a);
  test.std_b = standard_deviation(b, test.mean_b);
  test.mean_difference = mean(difference);
  test.std_difference = standard_deviation(difference, test.mean_difference);
  test.degrees_of_freedom = static_cast<int>(a.size()) - 1;
  const double error = test.std_difference / std::sqrt(static_cast<double>(a.size()));
  if (test.mean_difference != 0) test.t = test.mean_difference / error;
  test.p = student_t_p(test.t, test.degrees_of_freedom);
  const double half = student_t_quantile(0.05, test.degrees_of_freedom) * error;
  test.interval = {test.mean_difference - half, test.mean_difference + half};
  return test;
}

double mcnemar_p(std::int64_t b, std::int64_t c) {
  if (b < 0 || c < 0) throw std::invalid_argument("McNemar's counts should be 0 or more");
  const auto n = static_cast<long double>(b) + static_cast<long double>(c);
  const auto k = static_cast<long double>(std::min(b, c));
  // Needs extended precision: at n = 200,000 the logarithms are near 10^6, and their sum is near 1.
  const long double log_term =
      std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) - n * std::log(2.0L);
  long double term = 1;
  long double sum = 0;
  // Sums P(X = i) for i = k, k - 1, ... by P(X = i - 1) = P(X = i) * i / (n - i + 1).
  for (long double i = k; term > sum * 1e-21L; --i) {
    sum += term;
    term *= i / (n - i + 1);
  }
  return std::min(1.0, static_cast<double>(2 * sum * std::exp(log_term)));
}

namespace {

constexpr const char* kTooFew = "needs two seeds";

bool all_equal(std::span<const double> values) {
  return std::ranges::adjacent_find(values, std::ranges::not_equal_to()) == values.end();
}

// Whether a - b is the same for all pairs. Shares are rounded when they are divided, by up to
// epsilon / 2 of themselves, and so are their differences: two differences that are equal come out
// at most 4 epsilon times the largest share apart.
bool differ_by_the_same(std::span<const double> a, std::span<const double> b) {
  double low = a[0] - b[0];
  double high = low;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    low = std::min(low, a[i] - b[i]);
    high = std::max(high, a[i] - b[i]);
    largest = std::max({largest, std::abs(a[i]), std::abs(b[i])});
  }
  return high - low <= 4 * std::numeric_limits<double>::epsilon() * largest;
}

}  // namespace

OverSeeds over_seeds(std::span<const double> shares) {
  OverSeeds result;
  result.seeds = static_cast<int>(shares.size());
  result.standard_deviation = no_answer<double>(kTooFew);
  result.interval = no_answer<Interval>(kTooFew);
  if (shares.empty()) return result;
  const auto count = static_cast<double>(shares.size());
  for (const double share : shares)
    result.mean += share / count;
  if (shares.size() < 2) return result;
  // The rounded mean of equal shares can differ from them, which would give them a deviation above
  // 0.
  if (all_equal(shares)) {
    result.mean = shares.front();
    result.standard_deviation = answer(0.0);
    result.interval = no_answer<Interval>("all seeds equal");
    return result;
  }
  double squares = 0;
  for (const double share : shares)
    squares += (share - result.mean) * (share - result.mean);
  const double deviation = std::sqrt(squares / (count - 1));
  const double half = student_t_quantile(0.05, count - 1) * deviation / std::sqrt(count);
  result.standard_deviation = answer(deviation);
  result.interval = answer(cut({result.mean - half, result.mean + half}, 0, 1));
  return result;
}

Answer<PairedT> compare_pairs(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) {
    throw std::invalid_argument("pairs need two lists of equal length");
  }
  if (a.size() < 2) return no_answer<PairedT>(kTooFew);
  if (std::ranges::equal(a, b)) return no_answer<PairedT>("no difference");
  if (differ_by_the_same(a, b)) return no_answer<PairedT>("equal differences");
  return answer(paired_t_test(a, b));
}

}  // namespace dispersion
