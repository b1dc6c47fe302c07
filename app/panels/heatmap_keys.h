#pragma once

#include <span>

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// The frame of a heat map for the keyboard.
struct FrameKeys {
  int strip = 0;
  std::span<const int> sizes;  // n of the frames of a strip
  int index = 0;               // of this one
  int rows = 0;                // of cells; 0: it is not computed yet
  int columns = 0;
};

// For the button of the frame that was drawn last: while it has the focus, the arrow keys go from
// cell to cell, and at the edge on to the next n, which then is the focused one. Sets the cell
// under the pointer, and returns whether it has.
bool choose_cell_by_keys(AppState& app, PanelState& state, const FrameKeys& frame);

// The button of a frame, within the IDs of its strip and its n.
inline constexpr const char* kFrameButton = "frame";

}  // namespace dispersion
