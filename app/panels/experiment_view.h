#pragma once

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// The figure of the experiment in front with what is seen in it, or why there is none.
void draw_experiment_view(AppState& app, PanelState& state, ImVec2 corner, ImVec2 size);

}  // namespace dispersion
