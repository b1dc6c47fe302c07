#include "app/desk/view_schedule.h"

#include <algorithm>

#include "core/experiment/dispersion.h"

namespace dispersion {
namespace {

// Shares of the worker's time that renewals may take when they are made as often as that allows.
constexpr double kSmallShare = 0.08;
constexpr double kLargeShare = 0.10;
constexpr double kShortestSmallPeriod = 0.1;  // as often as the window is told while training
constexpr double kShortestLargePeriod = 0.25;

// Lateness of a large size weighs this much less than that of a small one.
constexpr double kPatience = 4;

constexpr std::int64_t kLiveItems = 1 << 13;
constexpr std::int64_t kMostLiveSets = 256;
constexpr std::int64_t kItemsOfFirstRound = 1 << 20;
constexpr std::int64_t kSetsOfFirstRound = 64;
constexpr std::int64_t kMostRowItems = 1 << 23;

bool is_small(int items) {
  return items <= kLargestSmallSize;
}

double period(double cost, double share, double shortest, double longest) {
  return std::clamp(cost / share, shortest, longest);
}

}  // namespace

RenewalPeriods renewal_periods(std::span<const int> sizes, double seconds_per_item) {
  double small_cost = 0;
  double large_cost = 0;
  for (const int items : sizes) {
    const double cost = seconds_per_item * items * static_cast<double>(live_row_sets(items));
    (is_small(items) ? small_cost : large_cost) += cost;
  }
  const RenewalPeriods longest;
  return {.small = period(small_cost, kSmallShare, kShortestSmallPeriod, longest.small),
          .large = period(large_cost, kLargeShare, kShortestLargePeriod, longest.large)};
}

double lateness(int items, double age, const RenewalPeriods& periods) {
  if (is_small(items)) return age / periods.small;
  return 1 + (age / periods.large - 1) / kPatience;
}

std::int64_t live_row_sets(int items) {
  return std::clamp<std::int64_t>(kLiveItems / items, kFrameSets, kMostLiveSets);
}

std::int64_t most_row_sets(int items) {
  return std::clamp(kMostRowItems / items, kSetsOfFirstRound, kMostRowSets);
}

std::int64_t paused_row_sets(int items, int round) {
  if (round <= 0) return kFrameSets;
  const std::int64_t first = std::max(kItemsOfFirstRound / items, kSetsOfFirstRound);
  return std::min(first << std::min(round - 1, 16), most_row_sets(items));
}

int last_round(std::span<const int> sizes) {
  int round = 0;
  for (const int items : sizes) {
    while (paused_row_sets(items, round) < most_row_sets(items))
      ++round;
  }
  return round;
}

}  // namespace dispersion
