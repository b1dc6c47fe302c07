#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/figure/figure.h"

namespace dispersion {

// From where a surface is looked at: turned around its upright axis, and from above. Radians.
struct SurfaceView {
  double azimuth = 0.7;
  double elevation = 0.5;  // in [0, pi / 2]

  bool operator==(const SurfaceView&) const = default;
};

// On the paper: x to the right, y down.
struct SurfacePoint {
  double x = 0;
  double y = 0;
};

struct SurfaceFace {
  std::array<SurfacePoint, 4> corner;
  double position = 0;  // on the colour scale
  double light = 1;     // by which its colour is dimmed
};

struct SurfaceLine {
  SurfacePoint from;
  SurfacePoint to;
};

// A text beside the box; `away` is the direction from the box, of length 1.
struct SurfaceText {
  SurfacePoint at;
  SurfacePoint away;
  std::string text;
};

// A field as a surface in a box, in parallel projection, in units in which the whole picture fits
// [-1, 1] x [-1, 1] from every side. Faces come from back to front, so that painting them in order
// hides what is hidden; the walls are behind all of them.
struct Surface {
  std::vector<std::array<SurfacePoint, 4>> walls;  // floor and the two at the back
  std::vector<SurfaceLine> grid;                   // on the walls, at the ticks
  std::vector<SurfaceFace> faces;
  std::vector<SurfaceText> ticks;
  std::vector<SurfaceText> names;  // of the axes
  // Whether the upright axis can be read. From steeply above it is too short: it has no ticks and
  // no name then.
  bool upright = true;
};

// At most `most_samples` along each axis are used. Faces with a value that is not known are left
// out. Empty when the field cannot be drawn.
Surface project_surface(const FieldPlot& plot, SurfaceView view, int most_samples = 65);

}  // namespace dispersion
