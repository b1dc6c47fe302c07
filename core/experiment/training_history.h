#pragma once

#include <cstdint>
#include <vector>

#include "core/experiment/spread.h"
#include "core/head/training_state.h"

namespace dispersion {

// Measurements of a head at one step of its training. They depend on its weights alone, so that a
// run that was stopped and went on has the same history as one that was not. They are made in
// double, whatever the path and the precision of the training, on the first 128 evaluation sets of
// 16 items of seed 1.
struct HistoryRow {
  std::uint32_t seed = 1;    // of the run
  std::int64_t step = 0;     // steps done
  Spread spread = {};        // of the logits of the proposition, without biases and scale
  double cross_entropy = 0;  // mean, nats
  double l2 = 0;             // the recipe's L2 term of the loss
  double accuracy = 0;       // share of the sets

  bool operator==(const HistoryRow&) const = default;
};

using History = std::vector<HistoryRow>;

// The first step after `step` that has a row. Those are 0, 1, 2, 5, 10, 20, 50, 100, 200, 500, and
// from 1,000 on every 1,000th. step >= -1.
std::int64_t next_history_step(std::int64_t step);

HistoryRow measure_history(const Recipe& recipe, const TrainingState& state);

// The spread and its bound at one step, over the seeds that have a row for it.
struct HistoryMean {
  std::int64_t step = 0;
  int seeds = 0;
  double delta = 0;       // mean
  double delta_low = 0;   // smallest seed
  double delta_high = 0;  // largest seed
  double bound = 0;
  double bound_low = 0;
  double bound_high = 0;
};

// In ascending order of steps.
std::vector<HistoryMean> mean_over_seeds(const std::vector<History>& histories);

}  // namespace dispersion
