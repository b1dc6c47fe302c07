#pragma once

#include <string_view>

namespace dispersion {

// The entry "progress" in the provenance of a figure whose settings or head have changed since.
inline constexpr std::string_view kOfFormerSettings = "of the settings before the present ones";

}  // namespace dispersion
