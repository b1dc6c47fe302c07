#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/commands/run_files.h"
#include "core/backend.h"

namespace dispersion {

// How runs are trained.
struct TrainingPlan {
  Recipe recipe;
  std::int64_t target_step = 0;
  std::int64_t save_every = 0;  // steps between two saves; 0: only at the end
  bool history = true;          // keeps a training history beside each head
  int threads = 0;              // for measuring histories; 0: as many as the machine has
  // Takes the runs that cannot be saved where they should be at the end of the training.
  std::filesystem::path second_place = {};
  // Told once when saving begins to fail, while training goes on.
  std::function<void(const std::string&)> warn = {};
};

struct TrainingProgress {
  std::int64_t steps_done = 0;   // of all runs together, since the start
  std::int64_t steps_to_do = 0;  // of all runs together
  StepRecord newest;
  int heads = 1;  // number of heads that train side by side at the moment
};

struct TrainingEnd {
  bool stopped = false;  // whether keep_going returned false
  bool non_finite = false;
  std::int64_t non_finite_step = 0;
  std::uint32_t non_finite_seed = 0;
  std::string error;  // with which the backend failed or its device was lost; else empty
};

// Trains all runs to the target step and saves them with their histories. Runs at the same step
// train side by side; runs that are behind catch up first. Calls `keep_going` about twenty times a
// second. If it returns false, if a loss is not finite or if the backend fails, training ends and
// the last good states are saved: after a failure the newest ones that were copied from the
// backend. A save that fails does not end it: the next one tries again, and what the last one
// cannot save goes to the second place. Run::moved and Run::failure tell what was saved elsewhere
// or not at all.
TrainingEnd train_runs(Backend& backend, const TrainingPlan& plan, std::vector<Run>& runs,
                       const std::function<bool(const TrainingProgress&)>& keep_going);

// A sentence for the user after TrainingEnd::error: the error, and which steps are saved where.
std::string error_text(const TrainingEnd& end, const std::vector<Run>& runs);

}  // namespace dispersion
