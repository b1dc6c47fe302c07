#include "app/session/view_schedule.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/experiment/dispersion.h"

namespace dispersion {
namespace {

// Shares of the worker's time that the renewals of small and of large sizes may take.
constexpr double kSmallShare = 0.08;
constexpr double kLargeShare = 0.10;
constexpr double kShortestSmallPeriod = 0.1;  // how often results are published while training
constexpr double kShortestLargePeriod = 0.25;

// The lateness of a large size grows so many times more slowly than that of a small one.
constexpr double kPatience = 4;

// The age of the focused size is multiplied by this among the due sizes of its class.
constexpr double kFocusWeight = 3;

constexpr std::int64_t kLiveItems = 1 << 13;
constexpr std::int64_t kMostLiveSets = 256;
constexpr std::int64_t kMostLiveFactor = 64;
constexpr double kInertia = 3;  // more than the 2 by which a factor grows
constexpr std::int64_t kItemsOfFirstRound = 1 << 20;
constexpr std::int64_t kSetsOfFirstRound = 64;
constexpr std::int64_t kMostRowItems = 1 << 23;

bool is_small(int items) {
  return items <= kLargestSmallSize;
}

// Seconds to renew all sizes of the class.
double live_cost(std::span<const int> sizes, double seconds_per_item, bool small) {
  double cost = 0;
  for (const int items : sizes) {
    if (is_small(items) == small)
      cost += seconds_per_item * items * static_cast<double>(live_row_sets(items));
  }
  return cost;
}

double period(double cost, double share, double shortest, double longest) {
  return std::clamp(cost / share, shortest, longest);
}

}  // namespace

RenewalPeriods renewal_periods(std::span<const int> sizes, double seconds_per_item) {
  const RenewalPeriods longest;
  return {.small = period(live_cost(sizes, seconds_per_item, true), kSmallShare,
                          kShortestSmallPeriod, longest.small),
          .large = period(live_cost(sizes, seconds_per_item, false), kLargeShare,
                          kShortestLargePeriod, longest.large)};
}

double lateness(int items, double age, const RenewalPeriods& periods) {
  if (is_small(items)) return age / periods.small;
  return 1 + (age / periods.large - 1) / kPatience;
}

std::optional<std::size_t> next_renewal(std::span<const int> sizes, std::span<const double> ages,
                                        int focused_items, const RenewalPeriods& periods) {
  std::optional<std::size_t> most;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double late = lateness(sizes[i], ages[i], periods);
    if (late >= 1 && (!most || late > lateness(sizes[*most], ages[*most], periods))) most = i;
  }
  if (!most) return most;
  const auto focused = std::ranges::find(sizes, focused_items);
  if (focused == sizes.end() || is_small(*focused) != is_small(sizes[*most])) return most;
  const std::size_t focus = static_cast<std::size_t>(focused - sizes.begin());
  const bool due = lateness(focused_items, ages[focus], periods) >= 1;
  return due && kFocusWeight * ages[focus] >= ages[*most] ? focus : most;
}

std::vector<std::size_t> renewal_order(std::span<const int> sizes, int focused_items) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    return std::pair(!is_small(sizes[i]), sizes[i] != focused_items);
  });
  return order;
}

std::int64_t live_row_sets(int items) {
  return std::clamp<std::int64_t>(kLiveItems / items, kFrameSets, kMostLiveSets);
}

std::int64_t affordable_factor(std::int64_t factor, std::span<const int> sizes,
                               double seconds_per_item, bool small) {
  const double seconds =
      small ? kSmallShare * kShortestSmallPeriod : kLargeShare * kShortestLargePeriod;
  const double affordable = seconds / std::max(live_cost(sizes, seconds_per_item, small), 1e-12);
  while (factor > 1 && affordable < static_cast<double>(factor))
    factor /= 2;
  while (factor < kMostLiveFactor && affordable > kInertia * static_cast<double>(factor))
    factor *= 2;
  return factor;
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
