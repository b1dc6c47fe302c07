#include "app/export/png_chunk.h"

#include <array>
#include <cstddef>

namespace dispersion {
namespace {

constexpr std::array<std::uint32_t, 256> checksums_of_bytes() {
  std::array<std::uint32_t, 256> table = {};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit)
      value = value >> 1 ^ ((value & 1) != 0 ? 0xEDB88320u : 0);
    table[byte] = value;
  }
  return table;
}

constexpr std::array<std::uint32_t, 256> kChecksums = checksums_of_bytes();

}  // namespace

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes += static_cast<char>(value >> shift & 0xFF);
  return bytes;
}

std::uint32_t from_big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

std::uint32_t png_checksum(std::string_view type_and_data) {
  std::uint32_t value = 0xFFFFFFFFu;
  for (const char byte : type_and_data)
    value = value >> 8 ^ kChecksums[(value ^ static_cast<unsigned char>(byte)) & 0xFF];
  return ~value;
}

std::string png_chunk(std::string_view type_and_data) {
  return big_endian(static_cast<std::uint32_t>(type_and_data.size() - 4))
      .append(type_and_data)
      .append(big_endian(png_checksum(type_and_data)));
}

}  // namespace dispersion
