#pragma once

#include "app/panels/painter.h"
#include "app/session/app_state.h"

namespace dispersion {

// The settings of the export dialog, one below the other, in the current column.
void draw_export_fields(ExportState& exporting, Painter& painter);

}  // namespace dispersion
