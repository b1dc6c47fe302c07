#pragma once

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// Ctrl E, Ctrl D and Ctrl Shift C, in the window and in the dialog.
void handle_export_keys(AppState& app, PanelState& state);

// Format, size and looks of a figure's file, what they give, and where it goes; over everything
// while app.exporting.open.
void draw_export_dialog(AppState& app, PanelState& state);

}  // namespace dispersion
