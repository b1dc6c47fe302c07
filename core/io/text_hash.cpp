#include "core/io/text_hash.h"

namespace dispersion {

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
