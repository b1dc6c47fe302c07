#pragma once

#include <cairo.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/palette/palette.h"

namespace dispersion {

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
