#pragma once

#include "app/desk/desk.h"
#include "app/panels/panel_state.h"

namespace dispersion {

// One line: what computes, the run's hash, seed, step and speed, and how full the device is.
void draw_status_line(const Desk& desk, PanelState& state);

}  // namespace dispersion
