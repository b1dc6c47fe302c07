#include "app/export/utf8.h"

#include <cstddef>

namespace dispersion {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

// How many bytes a character has that begins with this one; 0: none begins so.
std::size_t length_from(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return 2;
  if (first < 0xF0) return 3;
  return first < 0xF5 ? 4 : 0;
}

bool is_character(char32_t value, std::size_t length) {
  if (length == 3) return value >= 0x800 && (value < 0xD800 || value > 0xDFFF);
  return length < 3 || (value >= 0x10000 && value <= 0x10FFFF);
}

}  // namespace

char32_t take_character(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = length_from(first);
  char32_t character = length == 1 ? first : first & (0x7Fu >> length);
  bool good = length > 0 && text.size() >= length;
  for (std::size_t i = 1; good && i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    good = (next & 0xC0u) == 0x80u;
    character = character << 6 | (next & 0x3Fu);
  }
  good = good && is_character(character, length);
  text.remove_prefix(good ? length : 1);
  return good ? character : kReplacement;
}

void append_character(std::string& text, char32_t character) {
  const auto add = [&text](char32_t byte) { text += static_cast<char>(byte); };
  if (character < 0x80) {
    add(character);
    return;
  }
  if (character < 0x800) {
    add(0xC0 | character >> 6);
  } else {
    if (character < 0x10000) {
      add(0xE0 | character >> 12);
    } else {
      add(0xF0 | character >> 18);
      add(0x80 | (character >> 12 & 0x3F));
    }
    add(0x80 | (character >> 6 & 0x3F));
  }
  add(0x80 | (character & 0x3F));
}

}  // namespace dispersion
