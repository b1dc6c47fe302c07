#pragma once

#include <filesystem>
#include <string>

#include "core/figure/figure.h"

namespace dispersion {

struct Look;

// A figure is laid out in units of 1/96 inch; `scale` pixels make one unit.
struct PngSize {
  int width = 1600;   // units
  int height = 1000;  // units
  double scale = 2;
};

// Paints the figure and gives the file's bytes: the same for the same figure. Throws
// std::invalid_argument as below.
std::string png_bytes(const Figure& figure, PngSize size, const Look& look);

// Paints the figure in the light palette and writes it. Throws FileError, and std::invalid_argument
// for a size that is not above 0 or beyond 32,767 pixels.
void write_png(const std::filesystem::path& path, const Figure& figure, PngSize size);

}  // namespace dispersion
