#pragma once

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// What decides a run: L2, optimiser, batch, sizes, seed. A change takes effect with a new run.
void draw_recipe_panel(AppState& app, Session& session, PanelState& state);

}  // namespace dispersion
