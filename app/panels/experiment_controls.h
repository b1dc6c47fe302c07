#pragma once

#include <string>

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// Settings of the experiment in front, and how far it is.
void draw_experiment_controls(AppState& app, PanelState& state);

// "34 %, about 12 s left", "done, 2.3 s", "stopped at 34 %".
std::string experiment_progress_text(const ExperimentState& experiment);

}  // namespace dispersion
