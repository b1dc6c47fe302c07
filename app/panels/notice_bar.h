#pragma once

#include "app/desk/desk.h"
#include "app/panels/panel_state.h"

namespace dispersion {

// What the person has to be told, in place, above the view: a run that diverged, a file that could
// not be read or written, a save that is done. Height in window units; 0 when there is nothing to
// say.
// A word of success goes by itself after a few seconds; what failed stays until it is dismissed.
void forget_success(const Desk& desk, PanelState& state);

float notice_height(const Desk& desk, const PanelState& state);
void draw_notices(Desk& desk, Session& session, PanelState& state, float width);

}  // namespace dispersion
