#pragma once

#include "app/panels/painter.h"
#include "core/figure/figure.h"

namespace dispersion {

// A thin horizontal bar with the grid's colours, its range, and the name of its scale. `position`:
// upper left corner, `width` of all of it, in window units.
void draw_colour_bar(const Painter& painter, const HeatmapGrid& grid, ImVec2 position, float width);

}  // namespace dispersion
