#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/desk/desk.h"
#include "app/panels/panel_state.h"

namespace dispersion {

// The run as it goes: loss and batch accuracy against the step.
void draw_history_panel(const Desk& desk, PanelState& state, ImVec2 size);

}  // namespace dispersion
