#include "core/experiment/temperature_search.h"

#include <algorithm>
#include <limits>

#include "core/attention/softmax.h"

namespace dispersion {

double log_probability(std::span<const double> logits, std::size_t target, double theta) {
  const LogitSummary summary = summarise_logits(logits, theta);
  return (logits[target] - summary.max) / theta - summary.log_sum;
}

ThetaSearch search_theta(std::span<const double> logits, std::size_t target,
                         const ThetaGrid& grid) {
  const auto value = [&](std::int64_t index) {
    return log_probability(logits, target, grid.theta(index));
  };
  // The first index from which the next is not better.
  std::int64_t low = grid.first;
  std::int64_t high = grid.last;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (value(middle + 1) > value(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  double second = -std::numeric_limits<double>::infinity();
  if (low > grid.first) second = value(low - 1);
  if (low < grid.last) second = std::max(second, value(low + 1));
  const double best = value(low);
  return {low, grid.theta(low), best, best - second};
}

}  // namespace dispersion
