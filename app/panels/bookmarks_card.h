#pragma once

#include <imgui.h>

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// The states that the user has kept under a name, centred over the view between the corners `low`
// and `high`; a new one is made above. A click opens one.
void draw_bookmarks_card(AppState& app, Session& session, PanelState& state, ImVec2 low,
                         ImVec2 high);

}  // namespace dispersion
