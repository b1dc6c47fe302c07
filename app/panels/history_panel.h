#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// The run as it goes: loss and batch accuracy against the step.
void draw_history_panel(const AppState& app, PanelState& state, ImVec2 size);

}  // namespace dispersion
