#pragma once

#include "app/panels/painter.h"
#include "core/figure/figure.h"

namespace dispersion {

// A panel for a field, with the name of its values at the right of the title; end_panel() ends it.
void begin_field_panel(Painter& painter, const char* id, const FieldPlot& plot, ImVec2 size);

// What stands in it when the field cannot be drawn.
void draw_no_field(const Painter& painter);

}  // namespace dispersion
