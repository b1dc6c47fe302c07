#pragma once

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// Figures 2 and 7: attention on the 16 largest of n items, above softmax, below adaptive, one frame
// per n. The pointer picks a cell, a click selects the focused n.
void draw_heatmap_panel(AppState& app, PanelState& state, ImVec2 size);

// The largest height up to `wanted` that whole rows of cells fill without an empty strip below.
float heatmap_panel_height(const PanelState& state, float width, float wanted);

}  // namespace dispersion
