#pragma once

#include "app/panels/painter.h"
#include "app/session/app_state.h"

namespace dispersion {

// The few settings of the experiment in front.
void draw_experiment_settings(AppState& app, Painter& painter);

}  // namespace dispersion
