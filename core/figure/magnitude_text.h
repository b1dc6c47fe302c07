#pragma once

#include <string>

namespace dispersion {

// A number of any size in a few characters: "0", "0.024", "17", "40 960", "3.1 × 10⁻¹⁴",
// "1.2 × 10²⁵"; "–" where there is no number.
std::string magnitude_text(double value);

}  // namespace dispersion
