#pragma once

#include "app/desk/desk.h"
#include "app/panels/panel_state.h"

namespace dispersion {

// What is true at the n that is looked at, under plain softmax and under the adaptive rule.
void draw_here_panel(const Desk& desk, PanelState& state);

}  // namespace dispersion
