#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/earlier_history.h"
#include "app/session/shipped_data.h"
#include "core/experiment/experiment.h"
#include "core/io/checkpoint.h"

namespace dispersion {

// What commands compute from: heads, training histories and stored results, out of files or from
// inside the program.

// A head, and in words where it came from.
struct HeadSource {
  Checkpoint checkpoint;
  std::string name;  // the file, or "shipped"
};

// The head in `file`, or the first one inside the program if `file` is empty. What there is to say
// of how it was read (Checkpoint::remark) goes to standard error. Throws FileError.
HeadSource load_head(const std::filesystem::path& file);

// The history of the head that load_head() gives for the same file, up to the head's step.
EarlierHistory head_history(const std::filesystem::path& file, const Checkpoint& head);

// The head in the form in which experiments take it.
ExperimentHead experiment_head(HeadSource head);

// The line "head: NAME, seed 1, step 0, run HASH"; of a bare head it says that these are unknown.
std::string head_line(const ExperimentHead& head);

// All heads inside the program, in the order of their seeds.
std::vector<HeadSource> shipped_heads();

// The run hashes of these heads, in the same order.
std::vector<std::string> shipped_run_hashes();

// The head inside the program that was trained with this seed. Throws std::invalid_argument, which
// names the seeds that there are.
HeadSource shipped_head(std::uint32_t seed);

// All heads, training histories and stored results inside the program. The stored table is left out
// unless it was computed from these heads.
ShippedData shipped_data();

// Searching folders includes the folders inside them, in the order of their names, but does not
// follow symbolic links to folders. Throws FileError for a folder that cannot be read.

// The head with this run hash, inside the program or else in a checkpoint in the folders; nothing
// if there is none. Other files in the folders are ignored.
std::optional<HeadSource> find_head(std::string_view run_hash,
                                    std::span<const std::filesystem::path> folders);

// All files with this name in the folders.
std::vector<std::filesystem::path> files_named(const std::filesystem::path& name,
                                               std::span<const std::filesystem::path> folders);

}  // namespace dispersion
