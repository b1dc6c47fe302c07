#pragma once

#include <string>
#include <string_view>

namespace dispersion {

// The first character of UTF-8 text that is not empty, which is taken off; U+FFFD for a byte that
// begins none (also for surrogates, overlong forms and what is beyond Unicode).
char32_t take_character(std::string_view& text);

// Appends a character as UTF-8.
void append_character(std::string& text, char32_t character);

}  // namespace dispersion
