#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/commands/head_source.h"

namespace dispersion {

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
