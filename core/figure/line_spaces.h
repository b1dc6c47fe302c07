#pragma once

#include <string>
#include <string_view>

namespace dispersion {

// Spaces at which no line breaks, beside kept_together() of number_text.h.

// The text with such spaces alone, so that it stays in one line.
std::string in_one_line(std::string_view text);

// The text without them, as people search for it.
std::string with_breaking_spaces(std::string_view text);

}  // namespace dispersion
