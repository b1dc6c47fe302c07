#pragma once

#include <filesystem>
#include <span>

#include "app/export/figure_file.h"

namespace dispersion {

// Throws FileError when something stands there, unless it may be replaced; of several it names the
// first and says how many others there are.
void require_free(std::span<const std::filesystem::path> files, bool may_replace);
void require_free(const std::filesystem::path& file, bool may_replace);

}  // namespace dispersion
