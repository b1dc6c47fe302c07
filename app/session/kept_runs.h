#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/io/checkpoint.h"

namespace dispersion {

// Runs that nobody has saved, kept in a folder of their own until somebody brings them back or
// discards them: those of a closed window, and those for which a training found no other place.

// Which runs are kept when the session ends.
struct RunKeeping {
  std::filesystem::path folder;  // empty: none
  double least_seconds = 60;     // of training; shorter runs are not kept
};

// $XDG_STATE_HOME/dispersion-lab/runs, or under ~/.local/state; empty when there is neither.
std::filesystem::path kept_runs_folder();

// Writes the run under a name that nothing in the folder has, and returns that name. Makes the
// folder. Throws FileError.
std::filesystem::path keep_run(const std::filesystem::path& folder, const Checkpoint& run);

// The kept runs, newest first; empty for an empty path and for a folder that cannot be read.
std::vector<std::filesystem::path> kept_runs(const std::filesystem::path& folder);

// Removes a kept run and the history beside it. Throws FileError.
void discard_kept_run(const std::filesystem::path& run);

}  // namespace dispersion
