#pragma once

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// Asks for the name of a file to save to or to open, in one line where the top bar is. A file that
// is there already is only overwritten after a second press.
void draw_path_bar(Session& session, PanelState& state);

}  // namespace dispersion
