#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dispersion {

// The pieces that PNG files are made of.

inline constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1a\n";

// Four bytes, the highest first.
std::string big_endian(std::uint32_t value);
std::uint32_t from_big_endian(std::string_view bytes);  // of at least four bytes: the first four

// Of a chunk's type and data; as in the PNG specification, appendix D.
std::uint32_t png_checksum(std::string_view type_and_data);

// Length, type and data, checksum.
std::string png_chunk(std::string_view type_and_data);

}  // namespace dispersion
