#pragma once

#include "app/panels/panel_state.h"
#include "core/figure/zoom.h"

namespace dispersion {

// A field in a panel of its own as a heat map with its colour bar, as `zoom` says; the mouse
// changes that. `scrolls`: the wheel without Ctrl is for the window around.
void draw_field_panel(PanelState& state, const char* id, const FieldPlot& plot, FigureZoom& zoom,
                      float alpha, bool scrolls, ImVec2 size);

// The same numbers as a surface, which the mouse turns; a double click turns it back.
void draw_surface_panel(PanelState& state, const char* id, const FieldPlot& plot,
                        const FigureZoom& zoom, float alpha, ImVec2 size);

}  // namespace dispersion
