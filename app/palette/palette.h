#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/figure/figure.h"

namespace dispersion {

// An sRGB colour, as the screen and files have it.
struct Colour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;

  bool operator==(const Colour&) const = default;
};

// The colour of a value 0xRRGGBB.
constexpr Colour rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8),
          static_cast<std::uint8_t>(hex)};
}

// The colours of the window and of exported figures. Baseline and adaptive are the two colours that
// carry meaning; colour-blind readers can tell them apart. In the window both are about equally
// light, so that neither stands out; only kPrintPalette keeps them apart in a grey print. The other
// colours are neutral.
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
  // Further curves in one plot. So many colours are hard to tell apart, so each of these curves
  // also has a mark of its own.
  Colour violet;
  Colour green;
  Colour ochre;
  Colour sixth;  // lime on a dark background, brown on a light one

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

// For paper: black text, lines that a printer does not lose, and one dark and one bright colour for
// baseline and adaptive, so that these differ in a grey print too.
inline constexpr Palette kPrintPalette = {
    rgb(0xFFFFFF), rgb(0xFFFFFF), rgb(0xE9EBEA), rgb(0xA9B0B5), rgb(0x000000),
    rgb(0x595959), rgb(0x08508C), rgb(0xDD7730), rgb(0x1E8A61), rgb(0x7032CC),
    rgb(0x07914C), rgb(0x7A5A10), rgb(0x1E0078)};

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

// Mixes two colours linearly: share 0 gives `from`, share 1 gives `to`.
Colour mix(Colour from, Colour to, float share);

// The colour of each series of a plot, which is that of its role. Where several series share a role
// and a line style, each is paler than the one before it, so that they can be told apart.
std::vector<Colour> series_colours(const Palette& palette, std::span<const Series> series);

// The colours of 256 values 0xRRGGBB.
constexpr std::array<Colour, 256> colours_of_hex(const std::uint32_t (&hex)[256]) {
  std::array<Colour, 256> colours;
  for (std::size_t i = 0; i < colours.size(); ++i)
    colours[i] = rgb(hex[i]);
  return colours;
}

// The colour maps of fields, 256 entries each from dark to bright. Heat maps of attention weights
// use viridis.
extern const std::array<Colour, 256> kViridis;
extern const std::array<Colour, 256> kCividis;
extern const std::array<Colour, 256> kMagma;

// The entry of a colour map for a position in [0, 1] (see colour_position). A position below 0
// stands for a value that is not a number and gives a grey that no map contains.
Colour map_colour(ColourMap map, double position);
Colour viridis(double position);

}  // namespace dispersion
