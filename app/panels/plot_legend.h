#pragma once

#include "app/panels/panel_state.h"
#include "core/figure/zoom.h"

namespace dispersion {

// The names of curves and bars with their colours, from right to left in one line or, where that is
// too narrow, from the left in several. A click on the name of a curve hides it or shows it again.
float legend_width(const Painter& painter, const LinePlot& plot);
float legend_height(const Painter& painter, const LinePlot& plot, float width);
void draw_legend(PanelState& state, FigureZoom& zoom, const LinePlot& plot, ImVec2 corner,
                 float width);

}  // namespace dispersion
