#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "core/figure/figure.h"

namespace dispersion {

// The figure that figure_json() wrote into this file; nothing where the bytes are another file's,
// which do not begin with a figure's name. Numbers that were not finite are NaN. Throws FileError
// that names the place and what is expected there.
std::optional<Figure> read_figure_json(const std::filesystem::path& file, std::string_view bytes);

}  // namespace dispersion
