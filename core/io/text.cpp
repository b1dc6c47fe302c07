#include "core/io/text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace dispersion {

namespace {

// The length in bytes of the UTF-8 character that `text` begins with; 0 where that is a control
// character or invalid UTF-8.
std::size_t printable_bytes(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t bytes = first >= 0xf0 && first < 0xf5   ? 4
                            : first >= 0xe0 && first < 0xf0 ? 3
                            : first >= 0xc2 && first < 0xe0 ? 2
                                                            : 0;
  if (text.size() < bytes) return 0;
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  return std::ranges::all_of(text.substr(1, bytes - (bytes > 0)), continues) ? bytes : 0;
}

template <class Number>
std::string shortest(Number value) {
  std::array<char, 64> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

}  // namespace

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string result = "'";
  std::size_t done = 0;
  while (done < text.size() && result.size() <= kLongest) {
    if (const std::size_t bytes = printable_bytes(text.substr(done)); bytes > 0) {
      result += text.substr(done, bytes);
      done += bytes;
      continue;
    }
    const auto byte = static_cast<unsigned char>(text[done++]);
    result += "\\x";
    result += kDigits[byte >> 4];
    result += kDigits[byte & 15];
  }
  if (done < text.size()) result += "...";
  return result + "'";
}

std::string exact_text(double value) {
  return shortest(value);
}

std::string exact_text(float value) {
  return shortest(value);
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

std::uint64_t text_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

std::string text_hash_digits(std::string_view text) {
  const std::uint64_t hash = text_hash(text);
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4)
    digits += "0123456789abcdef"[hash >> shift & 15];
  return digits;
}

}  // namespace dispersion
