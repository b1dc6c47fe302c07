#pragma once

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// The program's name, what is open, and what can be done with it; or the question for a file name.
// `pages`: whether the window is so small that the pages have to be chosen here.
void draw_top_bar(AppState& app, Session& session, PanelState& state, bool pages);

}  // namespace dispersion
