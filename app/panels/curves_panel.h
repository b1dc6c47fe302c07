#pragma once

#include "app/desk/desk.h"
#include "app/panels/panel_state.h"

namespace dispersion {

// Accuracy and entropy against n, side by side. A click picks the n.
void draw_curves(Desk& desk, PanelState& state, ImVec2 size);

}  // namespace dispersion
