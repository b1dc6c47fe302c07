#pragma once

#include <imgui.h>

#include "app/panels/panel_state.h"
#include "app/session/export_state.h"

namespace dispersion {

// What the file will look like, in a box of this corner and size, and below it how large it is.
void draw_export_preview(ExportState& exporting, PanelState& state, ImVec2 low, ImVec2 size);

}  // namespace dispersion
