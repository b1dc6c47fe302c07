#pragma once

#include <cstdint>

#include "core/statistics/intervals_and_tests.h"

namespace dispersion {

// How two shares differ that were counted on the same trials, such as the accuracies of two heads
// on the same sets: the second minus the first.
struct PairedShares {
  std::int64_t trials = 0;
  std::int64_t only_first = 0;   // trials that only the first got right
  std::int64_t only_second = 0;  // trials that only the second got right
  double difference = 0;         // 0 without trials
  Interval interval;             // 95 %; [-1, 1] without trials
};

// The interval is that of Bonett and Price (Journal of Educational and Behavioral Statistics 37,
// 2012): Wald's with one more trial of each kind of disagreement, which holds for few disagreements
// too. Throws std::invalid_argument for counts that are negative or more than there are trials.
PairedShares compare_shares(std::int64_t trials, std::int64_t only_first, std::int64_t only_second);

}  // namespace dispersion
