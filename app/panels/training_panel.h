#pragma once

#include "app/desk/desk.h"
#include "app/panels/panel_state.h"

namespace dispersion {

// Play, pause, step, rewind, new seed; how far the run is and how well it does.
void draw_training_panel(Desk& desk, Session& session, PanelState& state);

}  // namespace dispersion
