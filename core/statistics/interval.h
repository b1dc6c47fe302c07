#pragma once

#include <cstdint>

namespace dispersion {

struct Interval {
  double low = 0;
  double high = 0;
};

// Wilson score interval of a share (no continuity correction), 95 % by default: z is the two-sided
// normal quantile. trials = 0 gives [0, 1].
Interval wilson_interval(std::int64_t successes, std::int64_t trials, double z = 1.959963984540054);

}  // namespace dispersion
