#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace dispersion {

// Each lesson inside the program, played from its first step to its last by the keys of a clicker,
// in two windows and two themes. All it claims must hold, and all it says must be readable.

// The pictures of all lessons that the project keeps: of each a sheet with all its steps.
std::set<std::string> lesson_sheets();
// One test per lesson, window and theme; the sheets that are kept go to the first folder, the
// others to the second.
void register_lesson_walks(const std::filesystem::path& kept, const std::filesystem::path& others);

}  // namespace dispersion
