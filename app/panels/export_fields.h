#pragma once

#include "app/desk/desk.h"
#include "app/panels/painter.h"

namespace dispersion {

// The settings of the export dialog, one below the other, in the current column.
void draw_export_fields(ExportDesk& exporting, Painter& painter);

}  // namespace dispersion
