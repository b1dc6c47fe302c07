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

// PNG files and the pieces that they are made of.

inline constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1a\n";

// Four bytes, the highest first.
std::string big_endian(std::uint32_t value);
std::uint32_t from_big_endian(std::string_view bytes);  // of at least four bytes: the first four

// Of a chunk's type and data: its length, the two themselves, and their checksum.
std::string png_chunk(std::string_view type_and_data);

// The type and data of the first chunk that begins with `wanted`, after that. Nothing where there
// is none, where the file ends before its end, or where its checksum is wrong.
std::optional<std::string_view> png_chunk_after(std::string_view png, std::string_view wanted);

// A PNG file of an image surface. Throws std::bad_alloc and std::runtime_error.
std::string png_of_surface(cairo_surface_t* surface);

// A PNG file of opaque pixels [rows, columns].
std::string png_of_pixels(int rows, int columns, std::span<const Colour> pixels);

// A text in a PNG file (iTXt).
struct PngText {
  std::string keyword;  // 1 to 79 ASCII characters
  std::string text;     // UTF-8
  bool compressed = false;
};

// The same PNG with its physical size (pHYs) and texts right after its header.
std::string with_png_notes(std::string_view png, double pixels_per_inch,
                           const std::vector<PngText>& texts);

}  // namespace dispersion
