#pragma once

#include "app/panels/panel_state.h"
#include "app/session/session.h"

namespace dispersion {

// Two states beside one another (app/session/comparison.h).

// A line below the top bar while a state is pinned: which it is, in what the present one differs,
// whose heat maps are shown, and the buttons that swap both, show their difference, and unpin.
float comparison_bar_height(const AppState& app, const PanelState& state);
void draw_comparison_bar(AppState& app, Session& session, PanelState& state, float width);

// The measurements of both at the focused n, in three columns.
void draw_compared_size_panel(const AppState& app, PanelState& state);
// Why attention disperses or not there, of both.
void draw_compared_why(const AppState& app, PanelState& state);
// The cell under the pointer, which is on a frame, of both.
void draw_compared_cell(const AppState& app, PanelState& state);

}  // namespace dispersion
