#pragma once

#include <imgui.h>

#include "app/palette/palette.h"
#include "app/session/settings.h"

struct ImFont;

namespace dispersion {

const Palette& palette(Theme theme);

// Colours in the two forms that Dear ImGui takes.
ImVec4 colour(Colour value, float alpha = 1);
ImU32 packed(Colour value, float alpha = 1);

// Sets the whole style from fixed numbers, so that it does not depend on the style before. To be
// called before a frame begins.
void apply_theme(Theme theme, float scale);

// Roboto, with DejaVu Sans for the Greek letters, mathematical signs and arrows that it lacks, and
// escapes (\u4e2d) for what both lack.
struct Fonts {
  ImFont* regular = nullptr;
  ImFont* medium = nullptr;  // section names, titles
};

// Sizes in logical pixels.
inline constexpr float kBodySize = 15;
inline constexpr float kSmallSize = 13;
inline constexpr float kSectionSize = 14;
inline constexpr float kTitleSize = 16;
inline constexpr float kPresentTitleSize = 20;  // while something is presented
inline constexpr float kLessonSize = 17;        // text of lessons
inline constexpr float kBigSize = 26;           // the focused n

// Adds the fonts that are part of the program to the current Dear ImGui context.
Fonts add_embedded_fonts();

inline constexpr float kSmallestZoom = 0.5F;
inline constexpr float kLargestZoom = 3.0F;
// Large type, to be read from the last row of a classroom.
inline constexpr float kProjectorZoom = 1.75F;

// Window units per logical pixel, between 0.5 and 4. `content` is the scale of the display
// (Window::content_scale), `zoom` that of the user.
float ui_scale(float content, float zoom, bool projector);

// The least scale at which what is presented can be read from the last row, in a window of this
// height: capitals of small text are 1/60 of it.
float present_scale(int height);

// The next zoom up (direction > 0) or down.
float next_zoom(float zoom, int direction);

}  // namespace dispersion
