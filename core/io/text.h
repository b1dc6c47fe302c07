#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dispersion {

// 'text' for an error message: in quotes, at most about 80 characters, control characters and bytes
// that are no UTF-8 written as \xNN, so that a name from a hostile file cannot break the line.
std::string in_quotes(std::string_view text);

// The shortest text that reads back as the same number, with '.' under every locale.
std::string exact_text(double value);
std::string exact_text(float value);

// A text as a field of CSV (RFC 4180): in quotes where it holds a comma, a quote or a line break.
std::string csv_field(const std::string& text);

// 64-bit FNV-1a over the bytes.
std::uint64_t text_hash(std::string_view text);

// The same as 16 hexadecimal digits.
std::string text_hash_digits(std::string_view text);

}  // namespace dispersion
