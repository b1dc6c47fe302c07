#pragma once

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// The exact values of the cell under the pointer on the heat maps.
void draw_pointer_panel(const AppState& app, PanelState& state);

}  // namespace dispersion
