#pragma once

#include <optional>

#include "app/export/figure_painter.h"
#include "app/panels/panel_state.h"
#include "core/figure/zoom.h"

namespace dispersion {

// The axes of a plot or a field in the window: unzoomed, as they are shown, and the rectangle that
// they span. Refers to the plot, which must outlive it.
struct ShownAxes {
  const std::string& title;
  const Axis& own_x;
  const Axis& own_y;
  const Axis& x;
  const Axis& y;
  PlotFrame frame;
};

// What the pointer does on a plot in this frame.
struct PlotPointer {
  bool hovered = false;      // it is inside the axes, with no button held
  Point at;                  // its position in logical pixels
  bool on_x_labels = false;  // it is on the labels of an axis, with no button held
  bool on_y_labels = false;
  bool clicked = false;     // it was pressed and released inside the axes without having moved
  std::optional<Rect> box;  // the box that the user is dragging open
};

// The frame of a plot, which is that of the beginning while the plot is dragged, so that it does
// not move under the pointer when tick labels become longer or shorter. `id` as in move_axes().
PlotFrame steady_frame(const PanelState& state, const char* id, const PlotFrame& fitted);

// Zooms and moves the axes with the mouse. The wheel magnifies about the pointer, a drag with the
// left button moves, a drag with the right button or with Shift opens a box that is then magnified,
// and a double click restores the unzoomed limits. On the labels of one axis all this changes that
// axis alone. `area` holds the plot with its labels, `id` names the item for tests, and with
// `scrolls` the wheel zooms only while Ctrl is held, since it scrolls the window around.
PlotPointer move_axes(PanelState& state, FigureZoom& zoom, const ShownAxes& axes, const Rect& area,
                      const char* id, bool scrolls);

// Draws the box that is being dragged open, or lines through the pointer with its values, which
// stand within the axes so that they hide no tick label.
void paint_pointer(Canvas& canvas, const ShownAxes& axes, const PlotPointer& pointer,
                   const DrawOptions& draw_options);

}  // namespace dispersion
