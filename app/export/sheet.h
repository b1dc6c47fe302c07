#pragma once

#include <cstdint>
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

// [height, width], bytes red, green, blue, alpha (not premultiplied), first row on top.
struct Pixels {
  int width = 0;
  int height = 0;
  std::vector<std::uint32_t> rgba;
};

}  // namespace dispersion
