#pragma once

#include <string>
#include <vector>

#include "app/export/canvas.h"
#include "app/export/figure_painter.h"
#include "core/figure/surface.h"

namespace dispersion {

// A name of an axis or a tick label beside a surface.
struct SurfaceLabel {
  std::string text;
  Point at;  // on its baseline
  Lettering style;
  Rect box;
};

// Where a surface stands on the canvas, and its labels. Labels that would touch another are left
// out.
struct SurfaceLayout {
  double unit = 0;  // length of a unit of the surface on the canvas
  Point origin;     // the origin of the surface on the canvas
  std::vector<SurfaceLabel> labels;

  Point place(SurfacePoint p) const { return {origin.x + unit * p.x, origin.y + unit * p.y}; }
};

// A surface on the canvas.
struct PaintedSurface {
  Surface surface;
  SurfaceLayout layout;
};

// The largest layout that fits into the area with all its labels. Where there is no room for them,
// those of ticks are left out, or all.
SurfaceLayout surface_layout(const Canvas& canvas, const Surface& surface, Rect area,
                             const DrawOptions& options);

}  // namespace dispersion
