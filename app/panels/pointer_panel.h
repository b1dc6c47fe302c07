#pragma once

#include "app/desk/desk.h"
#include "app/panels/panel_state.h"

namespace dispersion {

// The exact values of the cell under the pointer on the heat maps.
void draw_pointer_panel(const Desk& desk, PanelState& state);

}  // namespace dispersion
