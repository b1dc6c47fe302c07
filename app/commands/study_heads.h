#pragma once

#include <filesystem>
#include <vector>

#include "app/commands/interrupt.h"
#include "app/commands/run_files.h"
#include "app/commands/study_arms.h"
#include "core/backend.h"

namespace dispersion {

struct StudyTraining {
  std::filesystem::path folder;  // the arm's heads are folder/NAME/seedK.safetensors
  std::int64_t steps = 0;
  int seeds = 0;
  int threads = 0;
};

// Trains the arm's heads up to the asked step, going on from what is in the folder, a few at a
// time, so that the first are done early. Returns those that are there; fewer after an
// interruption. Throws std::runtime_error when a loss is not finite.
std::vector<Run> train_study_heads(Backend& backend, const StudyArm& arm,
                                   const StudyTraining& training, InterruptGuard& interrupt);

// The arm's heads that have reached the asked step, without training any: those in the folder, with
// or without Adam's moments, and in place of missing ones those inside the program where they are
// of the arm's recipe.
std::vector<Run> finished_study_heads(const StudyArm& arm, const StudyTraining& training);

// Writes heads without Adam's moments to `folder`, with their histories.
void export_heads(const StudyArm& arm, const std::vector<Run>& runs,
                  const std::filesystem::path& folder);

}  // namespace dispersion
