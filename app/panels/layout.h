#pragma once

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// How much fits beside each other, by the size of the window in logical pixels.
enum class Arrangement {
  kWide,      // controls, view, what is true here
  kMedium,    // one column for controls or what is true here, and the view
  kSmall,     // one page at a time
  kTooSmall,  // a sentence
};
Arrangement arrangement(float logical_width, float logical_height);

// The whole window, in one frame.
void draw_lab(AppState& app, Session& session, PanelState& state);

}  // namespace dispersion
