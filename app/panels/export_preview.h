#pragma once

#include <imgui.h>

#include "app/panels/panel_state.h"
#include "app/session/export_state.h"

namespace dispersion {

// What the exported file will look like, in a box of this corner and size.

// With a line below it about the size of the file.
void draw_export_preview(ExportState& exporting, PanelState& state, ImVec2 low, ImVec2 size);

// In little room and without the line. Pressed, it asks to be shown alone.
void draw_small_preview(ExportState& exporting, PanelState& state, ImVec2 low, ImVec2 size);

// In the place of all settings, until it is pressed.
void draw_preview_alone(ExportState& exporting, PanelState& state, ImVec2 low, ImVec2 size);

}  // namespace dispersion
