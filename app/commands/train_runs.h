#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/commands/run_files.h"
#include "core/backend.h"

namespace dispersion {

// How runs are to be trained.
struct TrainingPlan {
  Recipe recipe;
  std::int64_t target_step = 0;
  std::int64_t save_every = 0;  // steps; 0: only at the end
  bool history = true;          // keep one beside each head
  int threads = 0;              // for measuring the histories; 0: as many as the machine has
};

struct TrainingProgress {
  std::int64_t steps_done = 0;   // of all runs together, since the start
  std::int64_t steps_to_do = 0;  // of all runs together
  StepRecord newest;
  int heads = 1;  // that train side by side at the moment
};

struct TrainingEnd {
  bool stopped = false;  // keep_going returned false
  bool non_finite = false;
  std::int64_t non_finite_step = 0;
  std::uint32_t non_finite_seed = 0;
  std::string loss;  // the error with which the device was lost; empty: it was not lost
};

// Trains every run to the target step and saves it with its history, also when stopped or when a
// loss is not finite or the device is lost: then with the last good state. Runs at the same step
// train side by side; those behind catch up first. Asks `keep_going` between slices of about a
// twentieth of a second.
TrainingEnd train_runs(Backend& backend, const TrainingPlan& plan, std::vector<Run>& runs,
                       const std::function<bool(const TrainingProgress&)>& keep_going);

// One sentence about TrainingEnd::loss: that the device was lost, and which step of each run is
// saved in which file.
std::string loss_text(const TrainingEnd& end, const std::vector<Run>& runs);

}  // namespace dispersion
