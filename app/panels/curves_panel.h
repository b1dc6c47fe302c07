#pragma once

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// Accuracy and entropy against n, side by side. A click picks the n.
void draw_curves(AppState& app, PanelState& state, ImVec2 size);

}  // namespace dispersion
