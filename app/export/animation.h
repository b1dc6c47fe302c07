#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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
  std::vector<Colour> colours;   // for a format that has 256 of them at most
  std::string title;
  std::string sentence;
  Provenance provenance;
};

// How long its frames are seen, and how often it runs.
struct AnimationTiming {
  int milliseconds = 1000;       // each frame
  int last_milliseconds = 3000;  // the last one
  int rounds = 0;                // 0: for ever
};

// Figures one after the other; title and sentence are those of the last. Throws
// std::invalid_argument without figures.
Animation animation_of(std::span<const Figure> figures, const SheetSize& size,
                       const DrawOptions& options, const AnimationTiming& timing);

// Throws std::invalid_argument for an animation without frames, of frames that differ in size or of
// times that are none: what no format can write.
void require_animation(const Animation& animation);

// Of Pixels: red in the lowest byte.
constexpr Colour colour_of_pixel(std::uint32_t rgba) {
  return {static_cast<std::uint8_t>(rgba), static_cast<std::uint8_t>(rgba >> 8),
          static_cast<std::uint8_t>(rgba >> 16)};
}

// The bytes of a file, the same for the same animation. Throws as require_animation().

// An animated PNG, every colour exact; the texts of png_bytes() are in it.
std::string apng_bytes(const Animation& animation);
bool is_apng(std::string_view bytes);

// A GIF whose pixels take the nearest of the animation's colours, 1 to 256, without dithering;
// times are rounded to hundredths of a second. The provenance is in a comment. At most 65,535
// pixels either way.
std::string gif_bytes(const Animation& animation);
bool is_gif(std::string_view bytes);
std::optional<Provenance> gif_provenance(std::string_view bytes);

// Colours for the GIF of a figure: every other entry of viridis, and the steps of every ink of the
// style on its ground that the edges of letters need; with `further` roles (of curves beside
// baseline and adaptive, at most 8) theirs in the place of half of viridis. At most 256.
std::vector<Colour> gif_colours(const Palette& palette, std::span<const ColourRole> further = {});

}  // namespace dispersion
