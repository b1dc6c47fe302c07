#pragma once

#include <string>
#include <string_view>

namespace dispersion {

// "0.3 s", "25 s", "2 min 5 s", "3 h 10 min".
std::string duration_text(double seconds);

// Padded with spaces to a width in characters of UTF-8.
std::string align_right(std::string_view text, int width);
std::string align_left(std::string_view text, int width);

}  // namespace dispersion
