#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/experiment/training_history.h"
#include "core/head/training_state.h"
#include "core/io/file.h"

namespace dispersion {

// One head in training, and the file that it is saved in.
struct Run {
  std::filesystem::path file;
  TrainingState state;
  std::int64_t step_on_disk = -1;  // the step of this run in the file; -1: no file yet
  History history = {};            // rows up to state.step, saved beside the file
  std::string backend = {};        // what has trained it so far, as trained_by() says
  // The file and the history as this process found or wrote them last; nothing: there was none.
  std::optional<FileMark> file_seen = {};
  std::optional<FileMark> history_seen = {};
  std::string moved = {};    // why it is saved under another name than planned; empty: it is not
  std::string failure = {};  // why the last save failed; empty: it did not
};

// The folder "runs/default" for the default recipe, else "runs/recipe-" and eight digits of a hash
// of the recipe.
std::filesystem::path default_run_folder(const Recipe& recipe);

// New runs with the seeds first_seed .. first_seed + count - 1, saved in folder/seedK.safetensors.
// Earlier work is never overwritten: throws FileError if such a file exists and holds anything but
// this same run at the target step or before it, or if there is a history of another seed.
std::vector<Run> start_runs(const Recipe& recipe, std::uint32_t first_seed, int count,
                            std::int64_t target_step, const std::filesystem::path& folder);

struct ResumedRuns {
  Recipe recipe;
  std::vector<Run> runs;  // not empty
};

// The run in a checkpoint, or the runs in all *.safetensors in a folder, which must have the same
// recipe. They are saved where they came from, or in the folder `out` if that is not empty. Throws
// FileError, also for files without Adam's moments, for histories that cannot be read and for runs
// that are past `target_step`.
ResumedRuns resume_runs(const std::filesystem::path& source, std::int64_t target_step,
                        const std::filesystem::path& out);

// Makes the folders of the runs and checks that a checkpoint can be written into each, so that
// training does not start in vain. Throws FileError.
void prepare_folders(const std::vector<Run>& runs);

// The file of the only run, or the folder that all runs are saved in; empty if there is none.
std::filesystem::path common_place(const std::vector<Run>& runs);

// Lets the run replace what is under its names now.
void take_names(Run& run);

// Writes the history and the checkpoint of a run, unless the file already holds a later step of it.
// Where something else has come under one of the two names, both are left as they are, and the run
// goes on under another name: `file` and `moved` tell. Throws FileError.
void save_run(const Recipe& recipe, Run& run);

// For a run whose last save failed: writes it into this folder instead, and `file` tells where. A
// history that cannot be written is added to `failure`. Throws FileError, with nothing changed.
void save_elsewhere(const Recipe& recipe, Run& run, const std::filesystem::path& folder);

}  // namespace dispersion
