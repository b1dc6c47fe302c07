#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/experiment/training_history.h"

namespace dispersion {

// A training history as CSV: a line with the names of the columns, then a row per measured step, in
// ascending order and all of one seed, with as many digits as restore every number exactly.

// The file of the history that belongs to a checkpoint: seed1.safetensors -> seed1.history.csv.
std::filesystem::path history_path(const std::filesystem::path& checkpoint);

std::string history_csv(const History& history);

// Reads what history_csv() wrote, also after a spreadsheet has saved it: a byte-order mark is
// skipped, lines may end in commas (empty columns) and in CR and LF, and the last line need not
// end. `name`: what errors call the file; throws FileError that names the line and what was
// expected there.
History parse_history(const std::string& name, std::string_view csv);

// Throws FileError.
History read_history(const std::filesystem::path& file);

// The history beside a checkpoint up to `step`; empty if there is none. Later rows are left out,
// since a run that goes on from there makes them again. Throws FileError, also for the history of
// another seed.
History history_up_to(const std::filesystem::path& checkpoint, std::uint32_t seed,
                      std::int64_t step);

}  // namespace dispersion
