#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "core/backend.h"
#include "core/head/training_state.h"

namespace dispersion {

// How what a run of training gives is compared with another.

// Bit for bit.
inline void expect_same_records(const std::vector<StepRecord>& a,
                                const std::vector<StepRecord>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].step, b[i].step);
    EXPECT_EQ(a[i].head, b[i].head);
    EXPECT_EQ(a[i].cross_entropy, b[i].cross_entropy);
    EXPECT_EQ(a[i].l2, b[i].l2);
    EXPECT_EQ(a[i].accuracy, b[i].accuracy);
  }
}

// But for float's rounding, summed in another order: over all cases of tests/gpu the losses differ
// by 4e-7 of 1 + x at most, a unit in the last place or two, after 256 steps.
inline void expect_near_records(const std::vector<StepRecord>& a,
                                const std::vector<StepRecord>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].step, b[i].step);
    EXPECT_EQ(a[i].head, b[i].head);
    EXPECT_NEAR(a[i].cross_entropy, b[i].cross_entropy, 1e-6f * (1 + b[i].cross_entropy));
    EXPECT_NEAR(a[i].l2, b[i].l2, 1e-6f * (1 + b[i].l2));
    EXPECT_EQ(a[i].accuracy, b[i].accuracy);
  }
}

// The same after so many steps. Adam divides a gradient by its size, so rounding moves a parameter
// by up to the learning rate where its gradient is nearly 0: parameters are compared in the mean,
// which differs by 2.6e-8 a step at most over all cases of tests/gpu; four times that is allowed.
inline void expect_near_state(const TrainingState& a, const TrainingState& b, int steps) {
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.item_points, b.item_points);
  EXPECT_EQ(a.query_points, b.query_points);
  ASSERT_EQ(a.parameters.values.size(), b.parameters.values.size());
  double difference = 0;
  for (std::size_t i = 0; i < a.parameters.values.size(); ++i) {
    difference += std::abs(static_cast<double>(a.parameters.values[i]) -
                           static_cast<double>(b.parameters.values[i]));
  }
  EXPECT_LE(difference / static_cast<double>(a.parameters.values.size()), 1e-7 * steps);
}

}  // namespace dispersion
