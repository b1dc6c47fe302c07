#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "app/session/run_status.h"
#include "app/session/timing.h"
#include "app/session/view_schedule.h"
#include "core/experiment/size_table.h"

namespace dispersion {
namespace {

TEST(SpeedMeter, MeasuresTheLastSecond) {
  SpeedMeter meter;
  EXPECT_EQ(meter.per_second(), 0);
  meter.start(10);
  for (int i = 1; i <= 40; ++i)
    meter.add(10 + 0.1 * i, 5);
  EXPECT_NEAR(meter.per_second(), 50, 1e-6);
  for (int i = 1; i <= 20; ++i)
    meter.add(14 + 0.1 * i, 10);
  EXPECT_NEAR(meter.per_second(), 100, 1e-6);
}

TEST(SpeedMeter, APauseDoesNotCount) {
  SpeedMeter meter;
  meter.start(0);
  meter.add(1, 100);
  EXPECT_NEAR(meter.per_second(), 100, 1e-9);
  meter.start(50);
  EXPECT_NEAR(meter.per_second(), 100, 1e-9);
  meter.add(50.5, 100);
  EXPECT_NEAR(meter.per_second(), 200, 1e-9);
}

TEST(TimeBudget, TheViewGetsItsShare) {
  TimeBudget budget;
  double training = 0, viewing = 0;
  for (int i = 0; i < 10000; ++i) {
    if (budget.may_view()) {
      budget.viewed(0.011);
      viewing += 0.011;
    }
    budget.trained(0.012, 0.2);
    training += 0.012;
  }
  EXPECT_NEAR(viewing / (viewing + training), 0.2, 0.01);
}

TEST(TimeBudget, LongDebtsAreForgiven) {
  TimeBudget budget;
  budget.viewed(1000);
  double training = 0;
  for (; !budget.may_view(); training += 0.01)
    budget.trained(0.01, 0.2);
  EXPECT_LT(training, 1);
}

TEST(Smoothed, StartsAtTheFirstValueAndFollows) {
  Smoothed value;
  EXPECT_EQ(value.mean(), 0);
  value.add(0.5);
  EXPECT_DOUBLE_EQ(value.mean(), 0.5);
  for (int i = 0; i < 1000; ++i)
    value.add(1);
  EXPECT_NEAR(value.mean(), 1, 1e-6);
}

TEST(ViewSchedule, PromisedRatesHoldHoweverSlowTheMachine) {
  const std::vector<int> sizes = doubling_sizes();
  for (const double seconds : {1e-9, 1e-7, 1e-5, 1.0}) {
    const RenewalPeriods periods = renewal_periods(sizes, seconds);
    EXPECT_LE(periods.small, 0.25);
    EXPECT_LE(periods.large, 2);
    EXPECT_GT(periods.small, 0);
  }
  EXPECT_LT(renewal_periods(sizes, 1e-9).large, renewal_periods(sizes, 1e-6).large);
}

TEST(ViewSchedule, WhatIsMostOverdueComesFirst) {
  const RenewalPeriods periods{.small = 0.2, .large = 2};
  EXPECT_GT(lateness(16, 0.3, periods), lateness(16384, 0.3, periods));
  EXPECT_LT(lateness(1024, 0.3, periods), lateness(2048, 8, periods));
  EXPECT_EQ(lateness(1024, 0.2, periods), 1);
  EXPECT_EQ(lateness(2048, 2, periods), 1);
  EXPECT_GT(lateness(1024, 0.21, periods), 1);
  EXPECT_LT(lateness(2048, 0.21, periods), 1);
}

TEST(ViewSchedule, TheFocusedSizeComesFirstInItsClassAndStarvesNone) {
  const std::vector<int> sizes = {16, 1024, 2048, 16384};
  const RenewalPeriods periods{.small = 0.2, .large = 2};
  const std::vector<double> fresh = {0, 0, 1, 1};
  EXPECT_FALSE(next_renewal(sizes, fresh, 16384, periods));
  const std::vector<double> all_due = {0, 0, 4, 4};
  EXPECT_EQ(next_renewal(sizes, all_due, 16384, periods), 3u);
  EXPECT_EQ(next_renewal(sizes, all_due, 2048, periods), 2u);
  EXPECT_EQ(next_renewal(sizes, all_due, 0, periods), 2u);
  const std::vector<double> focus_not_due = {0, 0, 4, 1};
  EXPECT_EQ(next_renewal(sizes, focus_not_due, 16384, periods), 2u);
  const std::vector<double> small_late = {9, 0.3, 4, 4};
  EXPECT_EQ(next_renewal(sizes, small_late, 16384, periods), 0u);
  EXPECT_EQ(next_renewal(sizes, small_late, 1024, periods), 0u);  // 0.9 s against 9 s
  const std::vector<double> never(4, std::numeric_limits<double>::infinity());
  EXPECT_EQ(next_renewal(sizes, never, 1024, periods), 1u);
  EXPECT_EQ(renewal_order(sizes, 16384), (std::vector<std::size_t>{0, 1, 3, 2}));
  EXPECT_EQ(renewal_order(sizes, 1024), (std::vector<std::size_t>{1, 0, 2, 3}));
  EXPECT_EQ(renewal_order(sizes, 0), (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(Freshness, CurrentMeansOfThisRunAndOfTheLastSeconds) {
  ViewSnapshot snapshot;
  snapshot.sizes = {16, 32, 64, 128};
  snapshot.frame_step = {1000, 700, 1000, -1};
  snapshot.frame_run = {2, 2, 1, 2};
  snapshot.row_step = {-1, 701, 1000, 999};
  snapshot.row_run = {2, 2, 1, 2};
  RunStatus status;
  status.run = 2;
  status.step = 1001;
  status.steps_per_second = 100;
  const std::vector<bool> frames = {true, false, false, false};
  const std::vector<bool> rows = {false, true, false, true};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(frame_current(snapshot, status, i), frames[i]) << i;
    EXPECT_EQ(row_current(snapshot, status, i), rows[i]) << i;
  }
  status.steps_per_second = 0;
  EXPECT_TRUE(frame_current(snapshot, status, 0));
  EXPECT_FALSE(row_current(snapshot, status, 1));
  EXPECT_FALSE(frame_current(snapshot, status, 4));
}

// Steps after the newest copy are gone, and steps before it are not renewed.
TEST(Freshness, OfALostDeviceOnlyTheStepThatWasKeptIsCurrent) {
  ViewSnapshot snapshot;
  snapshot.sizes = {16, 32, 64};
  snapshot.frame_step = {999, 1000, 1001};
  snapshot.frame_run = {2, 2, 2};
  RunStatus status;
  status.run = 2;
  status.step = 1000;
  status.steps_per_second = 100;
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_TRUE(frame_current(snapshot, status, i)) << i;
  status.phase = RunPhase::kDeviceLost;
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(frame_current(snapshot, status, i), i == 1) << i;
}

// More sets only where they fit into the share of the time, and back to the fewest where they do
// not; in between a small change of the cost changes nothing.
TEST(ViewSchedule, SpareTimeGivesMoreSetsWhileItTrains) {
  const std::vector<int> sizes = {16, 1024, 16384};
  for (const bool small : {true, false}) {
    EXPECT_EQ(affordable_factor(1, sizes, 1e-3, small), 1);  // so slow that there is none to spare
    EXPECT_EQ(affordable_factor(64, sizes, 1e-3, small), 1);
    const std::int64_t fast = affordable_factor(1, sizes, 1e-9, small);
    EXPECT_GT(fast, 1);
    std::int64_t factor = fast;
    for (double seconds = 1e-9; seconds < 1e-6; seconds *= 1.1) {
      const std::int64_t next = affordable_factor(factor, sizes, seconds, small);
      EXPECT_LE(next, factor);  // dearer items never give more sets
      if (next < fast) {
        EXPECT_EQ(affordable_factor(next, sizes, seconds / 1.4, small), next);
      }
      // With these sets, the shortest periods still keep their share.
      const RenewalPeriods periods = renewal_periods(sizes, seconds * static_cast<double>(next));
      const RenewalPeriods shortest = renewal_periods(sizes, 1e-15);
      if (next > 1) {
        EXPECT_EQ(small ? periods.small : periods.large, small ? shortest.small : shortest.large);
      }
      factor = next;
    }
    EXPECT_EQ(factor, 1);
  }
}

TEST(ViewSchedule, RowsGrowRoundByRoundToTheCap) {
  const std::vector<int> sizes = {1, 16, 1024, 16384, 131072};
  const int rounds = last_round(sizes);
  for (const int items : sizes) {
    EXPECT_EQ(paused_row_sets(items, 0), 32);
    for (int round = 1; round <= rounds; ++round) {
      EXPECT_GE(paused_row_sets(items, round), paused_row_sets(items, round - 1));
    }
    EXPECT_EQ(paused_row_sets(items, rounds), most_row_sets(items));
    EXPECT_EQ(paused_row_sets(items, 1000), most_row_sets(items));
    EXPECT_GE(live_row_sets(items), 32);
  }
  EXPECT_EQ(paused_row_sets(16, 1), kMostRowSets);
  EXPECT_EQ(paused_row_sets(16384, 1), 64);
  EXPECT_EQ(most_row_sets(1024), kMostRowSets);
  EXPECT_EQ(most_row_sets(16384), 512);
  EXPECT_EQ(last_round({}), 0);
}

}  // namespace
}  // namespace dispersion
