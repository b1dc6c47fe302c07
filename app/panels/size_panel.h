#pragma once

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// The set size n that is looked at: halve, double, slide.
void draw_size_panel(AppState& app, PanelState& state);

}  // namespace dispersion
