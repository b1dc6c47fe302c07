#pragma once

#include "app/desk/desk.h"
#include "app/panels/panel_state.h"

namespace dispersion {

// The set size n that is looked at: halve, double, slide.
void draw_size_panel(Desk& desk, PanelState& state);

}  // namespace dispersion
