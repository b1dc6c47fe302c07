#pragma once

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// What the user has to be told, in place, above the view: a run that diverged, a file that could
// not be read or written, a save that is done. Height in window units; 0 when there is nothing to
// say.
// A word of success goes by itself after a few seconds; what failed stays until it is dismissed.
void forget_success(const AppState& app, PanelState& state);

float notice_height(const AppState& app, const PanelState& state);
void draw_notices(AppState& app, Session& session, PanelState& state, float width);

}  // namespace dispersion
