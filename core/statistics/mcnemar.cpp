#include "core/statistics/mcnemar.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dispersion {

double mcnemar_p(std::int64_t b, std::int64_t c) {
  if (b < 0 || c < 0) throw std::invalid_argument("McNemar's counts should be 0 or more");
  const auto n = static_cast<long double>(b) + static_cast<long double>(c);
  const auto k = static_cast<long double>(std::min(b, c));
  // Extended precision: at n = 200,000 the logarithms are near 10^6 and what is left of them
  // near 1.
  const long double log_term =
      std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) - n * std::log(2.0L);
  long double term = 1;
  long double sum = 0;
  // P(X = i - 1) = P(X = i) i / (n - i + 1), downwards from i = k.
  for (long double i = k; term > sum * 1e-21L; --i) {
    sum += term;
    term *= i / (n - i + 1);
  }
  return std::min(1.0, static_cast<double>(2 * sum * std::exp(log_term)));
}

}  // namespace dispersion
