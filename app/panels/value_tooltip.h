#pragma once

#include <optional>
#include <span>
#include <string>

#include "app/export/canvas.h"
#include "app/panels/painter.h"

namespace dispersion {

struct TooltipLine {
  std::string text;
  std::optional<Colour> ink = {};  // that of what the line is about
};

// Draws a tooltip beside this point, in logical pixels, of the panel that is being drawn: on a side
// where it is within the panel, so that it covers neither the point and what is above and below it,
// nor what stands beside the panel and is read together with it. Lines that no side has room for
// are wrapped on the wider one. It is whole in the window.
void draw_value_tooltip(const Painter& painter, Point at, std::span<const TooltipLine> lines);

}  // namespace dispersion
