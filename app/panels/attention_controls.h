#pragma once

#include "app/desk/desk.h"
#include "app/panels/panel_state.h"

namespace dispersion {

// How logits become weights: temperature, adaptive rule, and the colour scale of the heat maps.
void draw_attention_controls(Desk& desk, PanelState& state);

}  // namespace dispersion
