#include "app/panels/heatmap_keys.h"

#include <algorithm>

#include "app/panels/actions.h"
#include "app/panels/keyboard_focus.h"

namespace dispersion {
namespace {

ImGuiID button_of(int strip, int items) {
  ImGui::PushID(strip);
  ImGui::PushID(items);
  const ImGuiID id = ImGui::GetID(kFrameButton);
  ImGui::PopID();
  ImGui::PopID();
  return id;
}

// Moves to the frame beside this one, if there is one. Returns whether there is.
bool go_to_neighbour(AppState& app, PanelState& state, const FrameKeys& frame, int by) {
  const int next = frame.index + by;
  if (next < 0 || next >= static_cast<int>(frame.sizes.size())) return false;
  const int items = frame.sizes[static_cast<std::size_t>(next)];
  focus_items(app, state, items);
  move_focus(button_of(frame.strip, items));
  return true;
}

}  // namespace

bool choose_cell_by_keys(AppState& app, PanelState& state, const FrameKeys& frame) {
  if (frame.rows == 0 || !item_focused()) return false;
  const ArrowStep step = arrows_both_ways();
  HeatmapCell& cell = state.cell;
  cell.set = std::clamp(cell.set + step.y, 0, frame.rows - 1);
  const int column = std::min(cell.column, frame.columns - 1) + step.x;
  if (column < 0 && go_to_neighbour(app, state, frame, -1)) {
    cell.column = frame.columns - 1;
  } else if (column >= frame.columns && go_to_neighbour(app, state, frame, 1)) {
    cell.column = 0;
  } else {
    cell.column = std::clamp(column, 0, frame.columns - 1);
  }
  app.pointer = {frame.sizes[static_cast<std::size_t>(frame.index)], cell.set, cell.column};
  return true;
}

}  // namespace dispersion
