#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/export/picture.h"
#include "app/palette/palette.h"

namespace dispersion {

// A picture for so long; the alpha of its pixels is taken for 255.
struct AnimationFrame {
  Pixels pixels;
  int milliseconds = 1000;
};

// Pictures of one size, one after the other.
struct Animation {
  std::vector<AnimationFrame> frames;
  int rounds = 0;                // how often it runs; 0: for ever
  double pixels_per_inch = 192;  // told where the format can tell it
  std::string title;
  std::string sentence;
  Provenance provenance;
};

// Figures one after the other, the last one shown longer; title and sentence are those of the last.
// Throws std::invalid_argument without figures.
Animation animation_of(std::span<const Figure> figures, const SheetSize& size,
                       const DrawOptions& options, int milliseconds, int last_milliseconds);

// The bytes of a file, the same for the same animation. Throws std::invalid_argument for an
// animation without frames, of frames that differ in size or of times that are none.

// An animated PNG, every colour exact; the texts of png_bytes are in it.
std::string apng_bytes(const Animation& animation);

// A GIF whose pixels take the nearest of these colours, at most 256, without dithering; times are
// rounded to hundredths of a second. The provenance is in a comment. At most 65,535 pixels either
// way.
std::string gif_bytes(const Animation& animation, std::span<const Colour> colours);

// Colours for the GIF of a figure: every other entry of viridis, and the steps of every ink of the
// style on its ground that the edges of letters need; with `further` roles (of curves beside
// baseline and adaptive, at most 8) theirs in the place of half of viridis. At most 256.
std::vector<Colour> gif_colours(const Palette& palette, std::span<const ColourRole> further = {});

}  // namespace dispersion
