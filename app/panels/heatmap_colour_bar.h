#pragma once

#include <string_view>

#include "app/panels/painter.h"
#include "app/session/app_state.h"
#include "core/figure/figure.h"

namespace dispersion {

// A thin horizontal bar with the colours of the heat maps, their range, and the name of the scale,
// which opens a menu of all. `position` is its upper left corner, `width` includes the name.
void draw_colour_bar(AppState& app, Painter& painter, const HeatmapGrid& grid, ImVec2 position,
                     float width);

// The width of the colour bar beside the title of a panel that is so wide; 0 where there is no
// room.
float colour_bar_width(const Painter& painter, std::string_view title, float panel);

}  // namespace dispersion
