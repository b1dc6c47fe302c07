#pragma once

#include <imgui.h>

#include "app/palette/palette.h"
#include "app/session/settings.h"

namespace dispersion {

const Palette& palette(Theme theme);

// For Dear ImGui and ImPlot.
ImVec4 colour(Colour value, float alpha = 1);
ImU32 packed(Colour value, float alpha = 1);

// Sets the whole style, from fixed numbers and never from the style before, so that a change of
// scale cannot add up. To be called before a frame begins.
void apply_theme(Theme theme, float scale);

}  // namespace dispersion
