#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/experiment/training_history.h"

namespace dispersion {

// A training history as CSV: a line of names, then a row per step in ascending order, all of one
// seed, with as many digits as bring every number back.

// Where the history of the run in `checkpoint` lies: seed1.safetensors -> seed1.history.csv.
std::filesystem::path history_path(const std::filesystem::path& checkpoint);

std::string history_csv(const History& history);

// The other way. `name` stands in errors for the file; throws FileError that names the line and
// what was expected there.
History parse_history(const std::string& name, std::string_view csv);

History read_history(const std::filesystem::path& file);

}  // namespace dispersion
