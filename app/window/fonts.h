#pragma once

struct ImFont;

namespace dispersion {

// Roboto with DejaVu Sans behind it, so that every Greek, mathematical and arrow glyph is there.
struct Fonts {
  ImFont* regular = nullptr;
  ImFont* medium = nullptr;  // section names, titles
};

// Sizes in logical pixels.
inline constexpr float kBodySize = 15;
inline constexpr float kSmallSize = 13;
inline constexpr float kSectionSize = 14;
inline constexpr float kTitleSize = 16;
inline constexpr float kBigSize = 26;  // the one number that matters: n

// Adds the fonts that are part of the program to the current Dear ImGui context.
Fonts add_embedded_fonts();

}  // namespace dispersion
