#pragma once

#include "app/panels/painter.h"
#include "app/session/app_state.h"

namespace dispersion {

// A small curve of beta(H), with the entropies of the frames on it.
void draw_rule_sketch(const AppState& app, Painter& painter);

}  // namespace dispersion
