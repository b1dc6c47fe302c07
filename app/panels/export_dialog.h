#pragma once

#include "app/desk/desk.h"
#include "app/panels/panel_state.h"

namespace dispersion {

// Ctrl E, Ctrl D and Ctrl Shift C, in the window and in the dialog.
void handle_export_keys(Desk& desk, PanelState& state);

// Format, size and looks of a figure's file, what they give, and where it goes; over everything
// while desk.exporting.open.
void draw_export_dialog(Desk& desk, PanelState& state);

}  // namespace dispersion
