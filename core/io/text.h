#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace dispersion {

// Text from outside the program (files, names of files, messages of libraries) passes one of these
// functions on its way to a terminal, so that it can neither command the terminal nor hide
// anything. What cannot be seen is escaped: control characters and bytes that are no UTF-8 as \x1b,
// other characters as \u200b or \U000e0041. Text that is longer than the limit is cut and ends in
// "...".

// Escaped, in full.
std::string visible_text(std::string_view text);

// Escaped, together with the characters that cannot be drawn.
std::string drawn_text(std::string_view text, const std::function<bool(char32_t)>& can_be_drawn);

// Escaped, and cut after about `longest` bytes.
std::string foreign_text(std::string_view text, std::size_t longest);

// In single quotes, cut after about 80 bytes. Spaces other than the plain one are escaped too.
std::string in_quotes(std::string_view text);

// The name of a file, cut after about 1000 bytes.
std::string path_text(const std::filesystem::path& path);

// The text without the byte-order mark that spreadsheets and editors put before UTF-8.
std::string_view without_byte_order_mark(std::string_view text);

// The shortest text that is parsed as the same number, with '.' under every locale.
std::string exact_text(double value);
std::string exact_text(float value);

// A text as a field of CSV (RFC 4180): in quotes where it contains a comma, a quote or a line
// break, and escaped as in visible_text() except for line breaks and tabs. It is always UTF-8.
std::string csv_field(std::string_view text);

// The last `digits` hexadecimal digits of a number, with zeros in front.
std::string hex_digits(std::uint64_t number, int digits);

// The 64-bit FNV-1a hash of the bytes.
std::uint64_t text_hash(std::string_view text);

// That hash as 16 hexadecimal digits.
std::string text_hash_digits(std::string_view text);

}  // namespace dispersion
