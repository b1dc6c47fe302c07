#pragma once

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// One line: what computes, the run's hash, seed, step and speed, and how full the device is.
void draw_status_line(const AppState& app, PanelState& state);

}  // namespace dispersion
