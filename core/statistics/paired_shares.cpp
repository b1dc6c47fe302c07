#include "core/statistics/paired_shares.h"

#include <cmath>
#include <stdexcept>

namespace dispersion {
namespace {

constexpr double kNormalQuantile = 1.959963984540054;  // two-sided, 95 %

Interval interval_of(double trials, double only_first, double only_second) {
  const double first = (only_first + 1) / (trials + 2);
  const double second = (only_second + 1) / (trials + 2);
  const double middle = second - first;
  const double half =
      kNormalQuantile * std::sqrt((first + second - middle * middle) / (trials + 2));
  return cut({middle - half, middle + half}, -1, 1);
}

}  // namespace

PairedShares compare_shares(std::int64_t trials, std::int64_t only_first,
                            std::int64_t only_second) {
  if (only_first < 0 || only_second < 0 || only_first + only_second > trials)
    throw std::invalid_argument("disagreements must be from 0 to the number of trials");
  if (trials == 0) return {.interval = {-1, 1}};
  const double all = static_cast<double>(trials);
  const double first = static_cast<double>(only_first);
  const double second = static_cast<double>(only_second);
  return {trials, only_first, only_second, (second - first) / all, interval_of(all, first, second)};
}

}  // namespace dispersion
