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
// carry meaning. With text, muted and the ground they differ in lightness too, so that every eye
// and a grey print tell them apart (CIEDE2000 of 10 or more, tests/export/palette_test.cpp). The
// other colours are neutral.
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
                                         rgb(0xF1F4F8), rgb(0x97A1AF), rgb(0x98CBF8), rgb(0xC86726),
                                         rgb(0x80D1AE), rgb(0xB061F6), rgb(0x2CE69E), rgb(0xE5C31E),
                                         rgb(0xB1FF87)};
inline constexpr Palette kLightPalette = {
    rgb(0xF4F5F3), rgb(0xFFFFFF), rgb(0xEEF0EF), rgb(0xD9DDDF), rgb(0x11151B),
    rgb(0x54606C), rgb(0x044370), rgb(0xCF5116), rgb(0x116C47), rgb(0x6522BD),
    rgb(0x038F3E), rgb(0xA16D6D), rgb(0x462600)};

// For paper: black text, and lines that a printer does not lose.
inline constexpr Palette kPrintPalette = {
    rgb(0xFFFFFF), rgb(0xFFFFFF), rgb(0xE9EBEA), rgb(0xA9B0B5), rgb(0x000000),
    rgb(0x626363), rgb(0x00477E), rgb(0xE17629), rgb(0x19875E), rgb(0x7032CD),
    rgb(0x18905C), rgb(0x7A5A10), rgb(0x1E0078)};

// For eyes that need it, and for a washed-out projector: every text has a contrast of 7 or more.
inline constexpr Palette kContrastPalette = {
    rgb(0x000000), rgb(0x000000), rgb(0x1C1C1C), rgb(0x444444), rgb(0xFFFFFF),
    rgb(0xC9CED6), rgb(0xA3D4FE), rgb(0xF28F42), rgb(0x8CEFC3), rgb(0xC296FE),
    rgb(0x28E9AF), rgb(0xFFE040), rgb(0xC8FF9E)};

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
