#pragma once

#include <cstdint>
#include <span>

namespace dispersion {

// When which size of the picture is worth computing. Pure arithmetic; times in seconds.

// Sizes up to this are "small": renewed several times a second while training.
inline constexpr int kLargestSmallSize = 1024;

// How often frames are renewed while training.
struct RenewalPeriods {
  double small = 0.18;
  double large = 1.6;
};

// The defaults keep what is promised (small sizes 4 times a second, large ones every 2 seconds);
// where an item costs little, frames are renewed more often, within some 18 % of the worker's time.
RenewalPeriods renewal_periods(std::span<const int> sizes, double seconds_per_item);

// Age over period: 1 is due. What is most overdue comes first, so that on a slow machine small and
// large sizes fall behind alike.
double lateness(int items, double age, const RenewalPeriods& periods);

// Sets behind a row of Table 1 while training: the frame's 32, more where they cost next to
// nothing.
std::int64_t live_row_sets(int items);

// Sets behind a row while nothing trains: more and more, round by round, each round of a size
// costing about twice the one before, until there are kMostRowSets. Round 0 is the frame's sets.
inline constexpr std::int64_t kMostRowSets = 2048;
std::int64_t paused_row_sets(int items, int round);
// From this round on every size has kMostRowSets.
int last_round(std::span<const int> sizes);

}  // namespace dispersion
