#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace dispersion {

// Decides which size of the picture is computed next. Pure arithmetic; times are in seconds.

// Sizes up to this are "small": renewed several times a second while training.
inline constexpr int kLargestSmallSize = 1024;

// How often frames are renewed while training.
struct RenewalPeriods {
  double small = 0.18;
  double large = 1.6;
};

// At least the defaults, with which small sizes are renewed 4 times a second and large ones every 2
// seconds. On a fast machine frames are renewed more often, within some 18 % of the worker's time.
RenewalPeriods renewal_periods(std::span<const int> sizes, double seconds_per_item);

// How late a size is that was renewed `age` seconds ago: due at 1, and the latest size comes first.
// So all sizes get their turn even on a slow machine, where large ones fall behind more than small
// ones.
double lateness(int items, double age, const RenewalPeriods& periods);

// The index of the size to renew while training; nothing when none is due. `ages`: seconds since
// each size was renewed. Within its class (small or large) the focused size is renewed several
// times as often as the others, which still get their turn.
std::optional<std::size_t> next_renewal(std::span<const int> sizes, std::span<const double> ages,
                                        int focused_items, const RenewalPeriods& periods);

// The order of renewal while nothing trains, as indices: small sizes before large ones, and in each
// class the focused size first.
std::vector<std::size_t> renewal_order(std::span<const int> sizes, int focused_items);

// How many sets a row is evaluated on while training: the 32 of the frame, and more for small
// sizes, where they cost little.
std::int64_t live_row_sets(int items);

// How many times that number is affordable: what fits into the share of the time that the renewals
// of this class of sizes have, with the shortest periods. A power of two that follows the cost of
// an item with some inertia, since intervals that widen and narrow all the time cannot be read.
// `factor`: as it was before, at first 1.
std::int64_t affordable_factor(std::int64_t factor, std::span<const int> sizes,
                               double seconds_per_item, bool small);

// How many sets a row is evaluated on while nothing trains. The number grows from round to round,
// so that each round costs about as much as all before it, up to most_row_sets(). Round 0 has the
// sets of the frame.
std::int64_t paused_row_sets(int items, int round);
// At most kMostRowSets, and fewer for large sizes, so that the machine is idle again within
// seconds.
inline constexpr std::int64_t kMostRowSets = 2048;
std::int64_t most_row_sets(int items);
// The first round in which every size has its most_row_sets().
int last_round(std::span<const int> sizes);

}  // namespace dispersion
