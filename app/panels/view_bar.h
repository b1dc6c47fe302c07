#pragma once

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// The views to choose from, from the left: those of the theory in a menu of their own. Returns
// where they end.
float draw_view_tabs(AppState& app, PanelState& state, ImVec2 at);

// All views in one menu, where there is little room. Returns where its button ends.
float draw_view_menu(AppState& app, PanelState& state, ImVec2 at);

}  // namespace dispersion
