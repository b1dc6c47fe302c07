#pragma once

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// What is true at the n that is looked at, under plain softmax and under the adaptive rule.
void draw_focused_size_panel(const AppState& app, PanelState& state);

}  // namespace dispersion
