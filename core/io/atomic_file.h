#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "core/io/error.h"

namespace dispersion {

// Writes a temporary file beside `path`, checks every byte count, syncs and renames, so that `path`
// holds either all of the old or all of the new bytes. Throws FileError with the system's reason;
// the temporary file is removed then.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

// Throws FileError when it cannot be opened, is no regular file or is larger than `limit` bytes.
std::string read_whole_file(const std::filesystem::path& path, std::uintmax_t limit);

}  // namespace dispersion
