#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "app/export/figure_painter.h"
#include "core/figure/figure.h"

namespace dispersion {

// The size of a picture. Painters measure in units in which small text is 13 high.
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

// Throws std::invalid_argument unless every number is finite and above 0.
inline void require_size(const SheetSize& size) {
  for (const double number :
       {size.width_mm, size.height_mm, size.text_points, size.pixels_per_inch}) {
    if (!(number > 0) || !std::isfinite(number))
      throw std::invalid_argument("the size of a picture must be above 0");
  }
}

// Pixels [height, width] with the top row first. The bytes of a pixel in memory are red, green,
// blue and alpha, not premultiplied.
struct Pixels {
  int width = 0;
  int height = 0;
  std::vector<std::uint32_t> rgba;
};

// The picture formats of one figure.
//
// X_bytes() returns the bytes of a file, which are the same for the same figure in every locale and
// at any time. The file holds the title, the sentence and the provenance of the figure; it also
// holds the whole figure as JSON if the provenance has no command that makes the figure again.
// Throws std::invalid_argument for a size that is not above 0, and std::runtime_error with the
// reason that cairo gives.
//
// X_provenance() reads the provenance back out of a file, and X_figure() the JSON of the figure.
// Both return nothing if there is none or if the file is cut off or damaged. Lengths in a file are
// checked before they are used.

// Throws std::invalid_argument for more than 32,767 pixels in a direction.
std::string png_bytes(const Figure& figure, const SheetSize& size, const DrawOptions& options);
bool is_png(std::string_view bytes);
std::optional<Provenance> png_provenance(std::string_view bytes);
std::optional<std::string> png_figure(std::string_view bytes);

// The pixels of the PNG, for showing them on the screen. Throws as png_bytes().
Pixels picture_pixels(const Figure& figure, const SheetSize& size, const DrawOptions& options);

std::string svg_bytes(const Figure& figure, const SheetSize& size, const DrawOptions& options);
std::optional<Provenance> svg_provenance(std::string_view bytes);
std::optional<std::string> svg_figure(std::string_view bytes);

std::string pdf_bytes(const Figure& figure, const SheetSize& size, const DrawOptions& options);
std::optional<Provenance> pdf_provenance(std::string_view bytes);
std::optional<std::string> pdf_figure(std::string_view bytes);

// Attaches a file `figure.json` with these contents to a PDF; the pages stay as they are, and
// pdf_figure() finds the file that was attached last. The PDF must be one that cairo wrote, with an
// uncompressed table of its objects. Throws std::runtime_error for any other one.
std::string with_attachment(std::string pdf, std::string_view contents);

}  // namespace dispersion
