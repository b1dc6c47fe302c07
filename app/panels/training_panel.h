#pragma once

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// Play, pause, step, rewind, new seed; how far the run is and how well it does.
void draw_training_panel(AppState& app, Session& session, PanelState& state);

}  // namespace dispersion
