#pragma once

#include <imgui.h>

#include "app/palette/palette.h"
#include "app/session/settings.h"

struct ImFont;

namespace dispersion {

const Palette& palette(Theme theme);

// For Dear ImGui.
ImVec4 colour(Colour value, float alpha = 1);
ImU32 packed(Colour value, float alpha = 1);

// Sets the whole style, from fixed numbers and never from the style before, so that a change of
// scale cannot add up. To be called before a frame begins.
void apply_theme(Theme theme, float scale);

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

inline constexpr float kSmallestZoom = 0.5F;
inline constexpr float kLargestZoom = 3.0F;
// Large type for the last row of a classroom.
inline constexpr float kProjectorZoom = 1.75F;

// The one place where scale is computed: how many window units a logical pixel takes. content: the
// display's own (Window::content_scale), zoom: the user's. Between 0.5 and 4.
float ui_scale(float content, float zoom, bool projector);

// The next zoom up (direction > 0) or down.
float next_zoom(float zoom, int direction);

}  // namespace dispersion
