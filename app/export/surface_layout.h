#pragma once

#include <string>
#include <vector>

#include "app/export/canvas.h"
#include "app/export/figure_painter.h"
#include "core/figure/surface.h"

namespace dispersion {

struct SurfaceLabel {
  std::string text;
  Point at;  // of its baseline
  Lettering style;
  Rect box;
};

// Where a surface stands on the sheet: its own units, from their origin, in units of the sheet; and
// the names and tick labels that touch no other.
struct SurfaceLayout {
  double unit = 0;
  Point origin;
  std::vector<SurfaceLabel> labels;

  Point place(SurfacePoint p) const { return {origin.x + unit * p.x, origin.y + unit * p.y}; }
};

// As large as the area takes it with everything that is written around it.
SurfaceLayout surface_layout(const Canvas& canvas, const Surface& surface, Rect area,
                             const DrawOptions& options);

}  // namespace dispersion
