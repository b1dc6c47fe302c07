#include "core/statistics/over_seeds.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dispersion {
namespace {

constexpr const char* kTooFew = "needs two seeds";

}  // namespace

OverSeeds over_seeds(std::span<const double> values) {
  OverSeeds result;
  result.seeds = static_cast<int>(values.size());
  result.standard_deviation = no_answer<double>(kTooFew);
  result.interval = no_answer<Interval>(kTooFew);
  if (values.empty()) return result;
  const auto count = static_cast<double>(values.size());
  for (const double value : values)
    result.mean += value / count;
  if (values.size() < 2) return result;
  // Equal values have no spread; their mean need not round to them.
  if (std::ranges::equal(values.subspan(1), values.first(values.size() - 1))) {
    result.mean = values.front();
  }
  double squares = 0;
  for (const double value : values)
    squares += (value - result.mean) * (value - result.mean);
  const double deviation = std::sqrt(squares / (count - 1));
  const double half = student_t_quantile(0.05, count - 1) * deviation / std::sqrt(count);
  result.standard_deviation = answer(deviation);
  result.interval = answer(Interval{result.mean - half, result.mean + half});
  return result;
}

Answer<PairedT> compare_pairs(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) {
    throw std::invalid_argument("pairs need two lists of equal length");
  }
  if (a.size() < 2) return no_answer<PairedT>(kTooFew);
  if (std::ranges::equal(a, b)) return no_answer<PairedT>("no difference");
  return answer(paired_t_test(a, b));
}

}  // namespace dispersion
