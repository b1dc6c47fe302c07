#pragma once

#include <cairo.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/palette/palette.h"

namespace dispersion {

// PNG files, and the chunks that they are made of.

inline constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1a\n";

// A number as four bytes, the highest first, and the number in the first four of at least four
// bytes.
std::string big_endian(std::uint32_t value);
std::uint32_t from_big_endian(std::string_view bytes);

// A whole chunk from its type and data: with its length before them and their checksum after them.
std::string png_chunk(std::string_view type_and_data);

// Finds the first chunk whose type and data begin with `wanted`, and returns the data after that.
// Nothing if there is no such chunk, if the file is cut off before its end, or if its checksum is
// wrong.
std::optional<std::string_view> png_chunk_after(std::string_view png, std::string_view wanted);

// The PNG file of an image surface. Throws std::bad_alloc and std::runtime_error.
std::string png_of_surface(cairo_surface_t* surface);

// The PNG file of opaque pixels [rows, columns].
std::string png_of_pixels(int rows, int columns, std::span<const Colour> pixels);

// A text in a PNG file (chunk iTXt).
struct PngText {
  std::string keyword;  // 1 to 79 ASCII characters
  std::string text;     // UTF-8
  bool compressed = false;
};

// The PNG with its physical size (chunk pHYs) and these texts inserted after its header.
std::string with_png_notes(std::string_view png, double pixels_per_inch,
                           const std::vector<PngText>& texts);

}  // namespace dispersion
