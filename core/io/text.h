#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dispersion {

// A text for an error message: in single quotes, cut after about 80 characters, with control
// characters and invalid UTF-8 written as \xNN, so that a name from a malicious file cannot break
// the line.
std::string in_quotes(std::string_view text);

// The shortest text that is parsed as the same number, with '.' under every locale.
std::string exact_text(double value);
std::string exact_text(float value);

// A text as a field of CSV (RFC 4180): in quotes where it contains a comma, a quote or a line
// break.
std::string csv_field(const std::string& text);

// The 64-bit FNV-1a hash of the bytes.
std::uint64_t text_hash(std::string_view text);

// That hash as 16 hexadecimal digits.
std::string text_hash_digits(std::string_view text);

}  // namespace dispersion
