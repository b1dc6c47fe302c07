#pragma once

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// What the keyboard does, unless a field is being typed in.
void handle_keys(AppState& app, Session& session, PanelState& state);

// The list of keys, over the view.
void draw_keys_card(PanelState& state, ImVec2 low, ImVec2 high);

}  // namespace dispersion
