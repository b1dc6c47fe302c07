#pragma once

#include <filesystem>
#include <string>

namespace dispersion {

// Opens the folder in the desktop's file manager, and does not wait for it. Returns why that is not
// possible, in a sentence; empty: it was started.
std::string open_folder(const std::filesystem::path& folder);

}  // namespace dispersion
