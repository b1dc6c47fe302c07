#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/experiment/experiment.h"
#include "core/io/checkpoint.h"

namespace dispersion {

// A head and where it came from, in words.
struct HeadSource {
  Checkpoint checkpoint;
  std::string name;  // the file, or "shipped"
};

// The head in `file`, or the one inside the program when `file` is empty. Throws FileError.
HeadSource load_head(const std::filesystem::path& file);

// As experiments take it.
ExperimentHead experiment_head(HeadSource head);

// Every head inside the program, in the order of their seeds; the first is that of load_head({}).
std::vector<HeadSource> shipped_heads();

// Their run hashes, in the same order.
std::vector<std::string> shipped_run_hashes();

// The head inside the program that was trained from this seed. Throws std::invalid_argument that
// says which there are.
HeadSource shipped_head(std::uint32_t seed);

// Everything that is searched in folders is searched below them too, in the order of the names, and
// symbolic links to folders are not followed.

// The head of this run hash: among those inside the program, else in a checkpoint in the folders.
// Nothing when it is nowhere. Files that are no checkpoints are passed over. Throws FileError for a
// folder that cannot be read.
std::optional<HeadSource> find_head(std::string_view run_hash,
                                    std::span<const std::filesystem::path> folders);

// Every file of this name in the folders. Throws FileError as above.
std::vector<std::filesystem::path> files_named(const std::filesystem::path& name,
                                               std::span<const std::filesystem::path> folders);

}  // namespace dispersion
