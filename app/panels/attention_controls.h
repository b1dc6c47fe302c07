#pragma once

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// How logits become weights: temperature, adaptive rule, and the colour scale of the heat maps.
void draw_attention_controls(AppState& app, PanelState& state);

}  // namespace dispersion
