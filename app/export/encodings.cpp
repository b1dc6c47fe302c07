#include "app/export/encodings.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>

#include "core/io/json.h"

namespace dispersion {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

// The number of bytes of a character whose first byte this is; 0 if no character begins with it.
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

// zlib has its own type for bytes.
const Bytef* input(std::string_view bytes) {
  return reinterpret_cast<const Bytef*>(bytes.data());
}

Bytef* output(std::string& bytes) {
  return reinterpret_cast<Bytef*>(bytes.data());
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

char32_t cairo_character(char32_t character) {
  const bool free = (character & 0xFFFE) == 0xFFFE || (character >= 0xFDD0 && character <= 0xFDEF);
  return free ? kReplacement : character;
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

namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrlDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;  // 24 bits
    for (std::size_t j = 0; j < 3; ++j) {
      group <<= 8;
      if (i + j < bytes.size()) group |= static_cast<unsigned char>(bytes[i + j]);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      const bool there = i + j <= bytes.size();  // k bytes need k + 1 digits
      text += there ? kDigits[group >> (18 - 6 * j) & 63] : '=';
    }
  }
  return text;
}

std::string base64url(std::string_view bytes) {
  std::string text = base64(bytes);
  while (text.ends_with('='))
    text.pop_back();
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t group = 0;
  int bits = 0;  // in `group` that are not taken yet
  for (const char each : text) {
    const std::size_t digit = kUrlDigits.find(each);
    if (digit == std::string_view::npos) return std::nullopt;
    group = group << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(group >> bits & 0xFF);
  }
  // What is left over is zero, so that equal bytes have equal texts.
  if (bits == 6 || (group & ((1U << bits) - 1)) != 0) return std::nullopt;
  return bytes;
}

std::string compressed(std::string_view bytes) {
  uLongf length = compressBound(bytes.size());
  std::string stream(length, '\0');
  const int result =
      compress2(output(stream), &length, input(bytes), bytes.size(), Z_BEST_COMPRESSION);
  if (result != Z_OK) throw std::bad_alloc();  // the buffer is large enough for anything
  stream.resize(length);
  return stream;
}

std::optional<std::string> uncompressed(std::string_view stream, std::size_t most) {
  constexpr std::size_t kStep = 1 << 16;
  if (stream.size() > std::numeric_limits<uInt>::max()) return std::nullopt;
  z_stream state = {};
  state.next_in = const_cast<Bytef*>(input(stream));  // zlib does not write there
  state.avail_in = static_cast<uInt>(stream.size());
  if (inflateInit(&state) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> end(&state, inflateEnd);
  std::string bytes;
  for (int result = Z_OK; result == Z_OK;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kStep);
    state.next_out = output(bytes) + before;
    state.avail_out = kStep;
    result = inflate(&state, Z_NO_FLUSH);
    bytes.resize(before + kStep - state.avail_out);
    if (bytes.size() > most)
      throw LimitError("it has more than " + std::to_string(most) + " bytes when it is unpacked");
    if (result == Z_STREAM_END) return state.avail_in == 0 ? std::optional(bytes) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace dispersion
