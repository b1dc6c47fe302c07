#pragma once

#include <string_view>
#include <vector>

#include "app/export/typeface.h"

namespace dispersion {

// How much of each pixel a text covers, from 0 to 255 [height, width].
struct TextMask {
  int width = 0;
  int height = 0;
  std::vector<unsigned char> coverage;
};

// A line of text from the left edge, in regular weight, as wide as it needs. All in pixels: `size`
// is the height of the em, `baseline` is measured from above. Throws std::bad_alloc, also for sizes
// that no picture has.
TextMask text_mask(const Typeface& typeface, std::string_view text, double size, double baseline,
                   int height);

}  // namespace dispersion
