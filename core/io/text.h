#pragma once

#include <string>
#include <string_view>

namespace dispersion {

// 'text' for an error message: in quotes, at most about 80 characters, control characters and bytes
// that are no UTF-8 written as \xNN, so that a name from a hostile file cannot break the line.
std::string in_quotes(std::string_view text);

// The shortest text that reads back as the same number, with '.' under every locale.
std::string exact_text(double value);
std::string exact_text(float value);

}  // namespace dispersion
