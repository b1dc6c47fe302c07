#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/experiment/training_history.h"
#include "core/head/training_state.h"

namespace dispersion {

// One head in training and the file that keeps it.
struct Run {
  std::filesystem::path file;
  TrainingState state;
  std::int64_t step_on_disk = -1;  // of this same run; -1: no file yet
  History history = {};            // rows up to state.step; kept beside the file
};

// "runs/default" for the default recipe, else "runs/recipe-" and eight digits of a hash of the
// recipe.
std::filesystem::path default_run_folder(const Recipe& recipe);

// Fresh runs first_seed .. first_seed + count - 1, kept in folder/seedK.safetensors. Throws
// FileError when such a file is there and holds anything but an equal or earlier step of the very
// same run, or the history of another seed: results of earlier work are never overwritten.
std::vector<Run> start_runs(const Recipe& recipe, std::uint32_t first_seed, int count,
                            std::int64_t target_step, const std::filesystem::path& folder);

struct ResumedRuns {
  Recipe recipe;
  std::vector<Run> runs;  // at least one
};

// The run in a checkpoint, or those of every *.safetensors in a folder, which must share a recipe.
// They are kept where they came from, or in `out` unless that is empty. Throws FileError, also for
// files without Adam's moments, for histories that cannot be read and for runs that are past
// `target_step`.
ResumedRuns resume_runs(const std::filesystem::path& source, std::int64_t target_step,
                        const std::filesystem::path& out);

// Makes the folders of the runs' files and checks that a file can be written there, before training
// starts. Throws FileError.
void prepare_folders(const std::vector<Run>& runs);

// Writes the run's history and its checkpoint unless the file already holds a later step of it.
void save_run(const Recipe& recipe, Run& run);

}  // namespace dispersion
