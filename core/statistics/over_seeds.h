#pragma once

#include <span>

#include "core/statistics/answer.h"
#include "core/statistics/interval.h"
#include "core/statistics/paired_t.h"

namespace dispersion {

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
