#pragma once

#include <filesystem>

namespace dispersion {

// Renames a file that cannot be understood to the first free one of FILE.bad, FILE.bad2, FILE.bad3,
// ... Where `path` is a link, that is the file to which it leads; the link stays. Returns the new
// name; empty when it cannot be renamed.
std::filesystem::path set_broken_aside(const std::filesystem::path& path);

}  // namespace dispersion
