#pragma once

#include <span>

#include "app/panels/actions_table.h"
#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// Several views beside one another (app/session/view_grid.h).

// The panes, each with a line that names its view and lets another be chosen. The pane that is
// pressed gets the focus, which a coloured line on it shows.
void draw_panes(AppState& app, PanelState& state, ImVec2 corner, ImVec2 size);

// All of the attention view that there is room for: the heat maps, and the curves below them.
void draw_maps_and_curves(AppState& app, PanelState& state, ImVec2 corner, ImVec2 size);

// A button of this width, in logical pixels, with a picture of the panes, which opens a menu of all
// shapes.
inline constexpr float kShapeButton = 30;
void draw_shape_button(const Actor& actor, ImVec2 at);

struct ShapeName {
  GridShape shape;
  const char* action;  // the id of the action that chooses it
  const char* name;
};
std::span<const ShapeName> shape_names();

}  // namespace dispersion
