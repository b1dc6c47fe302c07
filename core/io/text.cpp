#include "core/io/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>

namespace dispersion {

namespace {

// A character at the start of a text in UTF-8.
struct Character {
  std::size_t bytes = 1;
  std::optional<char32_t> code;  // nothing: the first byte begins no character
};

Character first_character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return {1, first};
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {};
  char32_t code = first & (0x7fU >> bytes);
  for (const char c : text.substr(1, bytes - 1)) {
    const auto next = static_cast<unsigned char>(c);
    if ((next & 0xc0U) != 0x80) return {};
    code = code << 6 | (next & 0x3fU);
  }
  constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLeast[bytes] || code > 0x10ffff || surrogate) return {};
  return {bytes, code};
}

struct CodeRange {
  char32_t first;
  char32_t last;
};

// Control characters, and what Unicode displays as nothing or what changes the direction of the
// text around it (Default_Ignorable_Code_Point, Bidi_Control, separators of lines).
constexpr std::array<CodeRange, 19> kUnseen = {{
    {0x0, 0x1f},      {0x7f, 0x9f},       {0xad, 0xad},       {0x34f, 0x34f},     {0x61c, 0x61c},
    {0x115f, 0x1160}, {0x17b4, 0x17b5},   {0x180b, 0x180f},   {0x200b, 0x200f},   {0x2028, 0x202e},
    {0x2060, 0x206f}, {0x3164, 0x3164},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},
    {0xfff0, 0xfffb}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
}};

// What looks like a space and is none.
constexpr std::array<CodeRange, 7> kSpaces = {{{0xa0, 0xa0},
                                               {0x1680, 0x1680},
                                               {0x2000, 0x200a},
                                               {0x202f, 0x202f},
                                               {0x205f, 0x205f},
                                               {0x2800, 0x2800},
                                               {0x3000, 0x3000}}};

bool is_in(std::span<const CodeRange> ranges, char32_t code) {
  return std::ranges::any_of(
      ranges, [code](const CodeRange& range) { return code >= range.first && code <= range.last; });
}

bool is_unseen(char32_t code) {
  const bool printable_ascii = code >= 0x20 && code < 0x7f;  // most of all characters
  return !printable_ascii && is_in(kUnseen, code);
}

bool is_unseen_or_space(char32_t code) {
  return is_unseen(code) || is_in(kSpaces, code);
}

bool is_unseen_in_csv(char32_t code) {
  return is_unseen(code) && code != '\t' && code != '\n' && code != '\r';
}

// "\x1b" for ASCII and for a byte that belongs to no character, else "\ufeff" or "\U000e0041".
std::string escape(const Character& character, char byte) {
  const bool one_byte = character.bytes == 1;
  const char32_t code =
      one_byte ? static_cast<unsigned char>(byte) : character.code.value_or(U'\0');
  const int digits = one_byte ? 2 : code > 0xffff ? 8 : 4;
  std::string text = one_byte ? "\\x" : code > 0xffff ? "\\U" : "\\u";
  return text.append(hex_digits(code, digits));
}

// The text with escapes for what is no UTF-8 and for the characters that `hidden` names, cut
// between two characters once the result has `longest` bytes.
template <class Hidden>
std::string escaped(std::string_view text, const Hidden& hidden, std::size_t longest) {
  std::string result;
  while (!text.empty() && result.size() < longest) {
    const Character character = first_character(text);
    if (!character.code || hidden(*character.code)) {
      result += escape(character, text.front());
    } else {
      result += text.substr(0, character.bytes);
    }
    text.remove_prefix(character.bytes);
  }
  if (!text.empty()) result += "...";
  return result;
}

constexpr std::size_t kLongestQuote = 80;
constexpr std::size_t kLongestPath = 1000;
constexpr std::size_t kNoLimit = std::string_view::npos;

template <class Number>
std::string shortest(Number value) {
  std::array<char, 64> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

}  // namespace

std::string visible_text(std::string_view text) {
  return escaped(text, is_unseen, kNoLimit);
}

std::string drawn_text(std::string_view text, const std::function<bool(char32_t)>& can_be_drawn) {
  return escaped(
      text, [&](char32_t code) { return is_unseen(code) || !can_be_drawn(code); }, kNoLimit);
}

std::string foreign_text(std::string_view text, std::size_t longest) {
  return escaped(text, is_unseen, longest);
}

std::string in_quotes(std::string_view text) {
  return "'" + escaped(text, is_unseen_or_space, kLongestQuote) + "'";
}

std::string path_text(const std::filesystem::path& path) {
  return foreign_text(path.native(), kLongestPath);
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

std::string exact_text(double value) {
  return shortest(value);
}

std::string exact_text(float value) {
  return shortest(value);
}

std::string csv_field(std::string_view foreign) {
  std::string text = escaped(foreign, is_unseen_in_csv, kNoLimit);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

std::string hex_digits(std::uint64_t number, int digits) {
  std::string text;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    text += "0123456789abcdef"[number >> shift & 15];
  return text;
}

std::uint64_t text_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

std::string text_hash_digits(std::string_view text) {
  return hex_digits(text_hash(text), 16);
}

}  // namespace dispersion
