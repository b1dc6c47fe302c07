#pragma once

#include <span>

#include "app/panels/heatmap_layout.h"
#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// The n above the frames, the mean weights below them, and the names of the strips. `sizes`: n of
// the frames of a strip.
void draw_heatmap_labels(const AppState& app, const PanelState& state, const HeatmapLayout& grid,
                         std::span<const int> sizes);

}  // namespace dispersion
