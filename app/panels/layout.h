#pragma once

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// The arrangement of the attention view, which depends on the size of the window in logical pixels.
enum class Arrangement {
  kWide,      // controls on the left, view, details about the focused n on the right
  kMedium,    // view, and one column that shows the controls or the details
  kSmall,     // one page at a time
  kTooSmall,  // a sentence that asks for a larger window
};
Arrangement arrangement(float logical_width, float logical_height);

// Draws the whole window and handles the keys. To be called once per frame.
void draw_lab(AppState& app, Session& session, PanelState& state);

}  // namespace dispersion
