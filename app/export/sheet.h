#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

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

// Throws std::invalid_argument unless every number is finite and above 0.
inline void require_size(const SheetSize& size) {
  for (const double number :
       {size.width_mm, size.height_mm, size.text_points, size.pixels_per_inch}) {
    if (!(number > 0) || !std::isfinite(number))
      throw std::invalid_argument("the size of a picture must be above 0");
  }
}

// [height, width], bytes red, green, blue, alpha (not premultiplied), first row on top.
struct Pixels {
  int width = 0;
  int height = 0;
  std::vector<std::uint32_t> rgba;
};

}  // namespace dispersion
