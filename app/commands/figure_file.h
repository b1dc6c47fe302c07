#pragma once

#include <filesystem>

#include "app/export/figure_file.h"

namespace dispersion {

// Throws FileError when something stands there, unless it may be replaced.
void require_free(const std::filesystem::path& file, bool may_replace);

}  // namespace dispersion
