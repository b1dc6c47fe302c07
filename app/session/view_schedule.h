#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

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

// 1 is due, and what has the most comes first: so all sizes get their turn on a slow machine, where
// large ones fall behind more than small ones.
double lateness(int items, double age, const RenewalPeriods& periods);

// The size to renew while training, as an index; nothing when none is due. `ages`: seconds since
// each was renewed. Within its class the focused size comes several times as often as the others,
// and never keeps them from their turn.
std::optional<std::size_t> next_renewal(std::span<const int> sizes, std::span<const double> ages,
                                        int focused_items, const RenewalPeriods& periods);

// The order of sizes while nothing trains, as indices: small before large, the focused one first in
// its class.
std::vector<std::size_t> renewal_order(std::span<const int> sizes, int focused_items);

// Sets behind a row of Table 1 while training: the frame's 32, more where they cost next to
// nothing.
std::int64_t live_row_sets(int items);

// Sets behind a row while nothing trains: more and more, round by round, each round of a size
// costing about as much as all before, until there are most_row_sets(). Round 0 is the frame's
// sets.
std::int64_t paused_row_sets(int items, int round);
// 2,048, and fewer of large sets, so that the machine comes to rest within seconds.
inline constexpr std::int64_t kMostRowSets = 2048;
std::int64_t most_row_sets(int items);
// From this round on every size has its most_row_sets().
int last_round(std::span<const int> sizes);

}  // namespace dispersion
