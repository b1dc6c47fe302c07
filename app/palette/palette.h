#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/figure/figure.h"

namespace dispersion {

// sRGB, as on screen and in files.
struct Colour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;

  bool operator==(const Colour&) const = default;
};

// From 0xRRGGBB.
constexpr Colour rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8),
          static_cast<std::uint8_t>(hex)};
}

// The colours of window and exported figures. Two carry the story, baseline and adaptive; they stay
// apart for colour-blind eyes. On the window both are about equally light, so that neither is
// louder than the other; in grey print only those of app/export/print_palette.h stay apart.
// Everything else is neutral.
struct Palette {
  Colour background;
  Colour panel;
  Colour raised;
  Colour line;
  Colour text;
  Colour muted;
  Colour baseline;
  Colour adaptive;
  Colour good;
  // Of further curves in one plot. With so many no eye tells all apart: they have marks of their
  // own as well.
  Colour violet;
  Colour green;
  Colour ochre;
  Colour sixth;  // lime on dark ground, brown on light

  bool operator==(const Palette&) const = default;
};

inline constexpr Palette kDarkPalette = {rgb(0x0E1116), rgb(0x15191F), rgb(0x1D232B), rgb(0x2B323C),
                                         rgb(0xE7EAEE), rgb(0x8E98A6), rgb(0x5AA9E6), rgb(0xF0894A),
                                         rgb(0x7FD1AE), rgb(0xB061F6), rgb(0x3EE89A), rgb(0xEBCB45),
                                         rgb(0xB3FF8B)};
inline constexpr Palette kLightPalette = {
    rgb(0xF4F5F3), rgb(0xFFFFFF), rgb(0xEEF0EF), rgb(0xD9DDDF), rgb(0x1A1F26),
    rgb(0x5F6B79), rgb(0x0B6CB5), rgb(0xC8511B), rgb(0x1E8A61), rgb(0x6423B8),
    rgb(0x008E23), rgb(0xA8655A), rgb(0x462600)};

constexpr Colour role_colour(const Palette& palette, ColourRole role) {
  switch (role) {
    case ColourRole::kBaseline:
      return palette.baseline;
    case ColourRole::kAdaptive:
      return palette.adaptive;
    case ColourRole::kReference:
      return palette.text;
    case ColourRole::kThird:
      return palette.violet;
    case ColourRole::kFourth:
      return palette.green;
    case ColourRole::kFifth:
      return palette.ochre;
    case ColourRole::kSixth:
      return palette.sixth;
    case ColourRole::kNeutral:
      break;
  }
  return palette.muted;
}

// Mixes two colours; share 0 gives `from`.
Colour mix(Colour from, Colour to, float share);

// The colour of each series of a plot: that of its role, and where several share role and line the
// later ones paler, so that they can be told apart.
std::vector<Colour> series_colours(const Palette& palette, std::span<const Series> series);

constexpr std::array<Colour, 256> colours_of_hex(const std::uint32_t (&hex)[256]) {
  std::array<Colour, 256> colours;
  for (std::size_t i = 0; i < colours.size(); ++i)
    colours[i] = rgb(hex[i]);
  return colours;
}

// Colour maps of fields, 256 entries each, dark to bright. Viridis is that of attention weights.
extern const std::array<Colour, 256> kViridis;
extern const std::array<Colour, 256> kCividis;
extern const std::array<Colour, 256> kMagma;

// Entry of a map for a position in [0, 1] (see colour_position); a position below 0 stands for a
// value that is not a number and gets a grey that no map contains.
Colour map_colour(ColourMap map, double position);
Colour viridis(double position);

}  // namespace dispersion
