#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/export/figure_painter.h"
#include "core/figure/figure.h"

namespace dispersion {

// How large a picture is. Painters work in units in which small text is 13 high.
struct SheetSize {
  double width_mm = 1600 * 25.4 / 96;
  double height_mm = 1000 * 25.4 / 96;
  double text_points = 9.75;     // size of small text
  double pixels_per_inch = 192;  // of a PNG

  double unit_mm() const { return text_points / 72 * 25.4 / 13; }
  double width() const { return width_mm / unit_mm(); }    // units
  double height() const { return height_mm / unit_mm(); }  // units
  double pixels_per_unit() const { return pixels_per_inch * unit_mm() / 25.4; }
};

// A figure as the bytes of a file: the same for the same figure, in any locale and at any time.
// With the figure's title, sentence and provenance in the file. Throws std::invalid_argument for a
// size that is not above 0, or for a PNG beyond 32,767 pixels, and std::runtime_error with cairo's
// reason.
std::string png_bytes(const Figure& figure, const SheetSize& size, const Look& look);
std::string svg_bytes(const Figure& figure, const SheetSize& size, const Look& look);
std::string pdf_bytes(const Figure& figure, const SheetSize& size, const Look& look);

// The same picture as the PNG's pixels, for the eye alone: [height, width], bytes red, green, blue,
// alpha (not premultiplied), first row on top. Throws as png_bytes().
struct Pixels {
  int width = 0;
  int height = 0;
  std::vector<std::uint32_t> rgba;
};
Pixels picture_pixels(const Figure& figure, const SheetSize& size, const Look& look);

// The provenance as one JSON object of texts, in order.
std::string provenance_json(const Provenance& provenance);

}  // namespace dispersion
