#include "core/statistics/interval.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace dispersion {

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
  // The ends are exact where rounding would leave a crumb.
  return {successes == 0 ? 0 : std::max(0.0, centre - half),
          successes == trials ? 1 : std::min(1.0, centre + half)};
}

}  // namespace dispersion
