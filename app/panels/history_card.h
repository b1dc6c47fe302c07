#pragma once

#include <imgui.h>

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// The list of what the user has changed, newest first, centred over the view between the corners
// `low` and `high`. A click goes back to the moment after that change; what was undone stands below
// and comes back in the same way.
void draw_history_card(AppState& app, PanelState& state, ImVec2 low, ImVec2 high);

}  // namespace dispersion
