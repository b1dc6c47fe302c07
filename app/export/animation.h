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

// A picture and how long it is shown. It is opaque: the alpha of its pixels is ignored.
struct AnimationFrame {
  Pixels pixels;
  int milliseconds = 1000;
};

// Pictures of the same size that are shown one after the other.
struct Animation {
  std::vector<AnimationFrame> frames;
  int rounds = 0;                // how often the animation runs; 0: for ever
  double pixels_per_inch = 192;  // written into formats that can store it
  std::vector<Colour> colours;   // for a format that is limited to 256 colours
  std::string title;
  std::string sentence;
  Provenance provenance;
};

// How long the frames of an animation are shown, and how often it runs.
struct AnimationTiming {
  int milliseconds = 1000;       // for each frame but the last
  int last_milliseconds = 3000;  // for the last frame
  int rounds = 0;                // how often the animation runs; 0: for ever
};

// An animation that shows these figures one after the other. It takes its title, sentence and
// provenance from the last figure. Throws std::invalid_argument if there is no figure.
Animation animation_of(std::span<const Figure> figures, const SheetSize& size,
                       const DrawOptions& options, const AnimationTiming& timing);

// Throws std::invalid_argument for an animation that no format can write: one without frames, with
// frames of different sizes, or with times or rounds out of range.
void require_animation(const Animation& animation);

// The colour of a pixel of Pixels, which has red in its lowest byte.
constexpr Colour colour_of_pixel(std::uint32_t rgba) {
  return {static_cast<std::uint8_t>(rgba), static_cast<std::uint8_t>(rgba >> 8),
          static_cast<std::uint8_t>(rgba >> 16)};
}

// X_bytes() returns the bytes of a file, which are the same for the same animation. It throws as
// require_animation() does.

// An animated PNG with exact colours and with the same texts as png_bytes() writes.
std::string apng_bytes(const Animation& animation);
bool is_apng(std::string_view bytes);

// A GIF in which each pixel has the nearest of the 1 to 256 colours of the animation, without
// dithering. Times are rounded to hundredths of a second, and the provenance is in a comment.
// Throws std::invalid_argument for more than 65,535 pixels in a direction.
std::string gif_bytes(const Animation& animation);
bool is_gif(std::string_view bytes);
std::optional<Provenance> gif_provenance(std::string_view bytes);

// At most 256 colours for the GIF of a figure: every other entry of viridis, and for each colour of
// the palette the steps from the background to it that the smooth edges of letters need. If there
// are curves of `further` roles beside baseline and adaptive (at most 8), the steps of their
// colours replace half of the entries of viridis.
std::vector<Colour> gif_colours(const Palette& palette, std::span<const ColourRole> further = {});

}  // namespace dispersion
