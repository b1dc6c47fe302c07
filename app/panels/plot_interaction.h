#pragma once

#include <optional>
#include <string>

#include "app/export/figure_painter.h"
#include "app/panels/panel_state.h"
#include "core/figure/zoom.h"

namespace dispersion {

// A plot or a field in the window: its axes by themselves and as they are shown, and where they
// span. Everything must live as long as this.
struct ShownAxes {
  const std::string& title;
  const Axis& own_x;
  const Axis& own_y;
  const Axis& x;
  const Axis& y;
  PlotFrame frame;
};

// What the pointer does on it.
struct PlotPointer {
  bool hovered = false;     // where the axes span, with no button held
  Point at;                 // logical pixels
  bool clicked = false;     // pressed there and released without having moved
  std::optional<Rect> box;  // that is being drawn up
};

// Takes the mouse's doing in `area`, labels and names of the axes included, into the zoom: the
// wheel magnifies about the pointer, a drag with the left button moves, one with the right button
// or with Shift draws up a box to be magnified, a double click goes back to the figure's own
// limits. On the labels of an axis all this is about that axis alone. `id` names the item for
// tests, `scrolls` leaves the wheel without Ctrl to the window around.
PlotPointer move_axes(PanelState& state, FigureZoom& zoom, const ShownAxes& axes, const Rect& area,
                      const char* id, bool scrolls);

// The box that is being drawn up, or lines through the pointer with its values at the axes.
void paint_pointer(Canvas& canvas, const ShownAxes& axes, const PlotPointer& pointer,
                   const DrawOptions& draw_options);

}  // namespace dispersion
