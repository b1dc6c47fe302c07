#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/figure/figure.h"

namespace dispersion {

// The direction from which a surface is seen, in radians: its rotation about the vertical axis, and
// how far the viewer looks down on it.
struct SurfaceView {
  double azimuth = 0.7;
  double elevation = 0.5;  // in [0, pi / 2]

  bool operator==(const SurfaceView&) const = default;
};

// A point in the picture; x points right, y down.
struct SurfacePoint {
  double x = 0;
  double y = 0;
};

struct SurfaceFace {
  std::array<SurfacePoint, 4> corner;
  std::array<std::size_t, 4> sample = {};  // of each corner: its index in FieldPlot::values
  double position = 0;                     // on the colour scale, in [0, 1]
  double light = 1;                        // the factor by which shading dims the colour
};

struct SurfaceLine {
  SurfacePoint from;
  SurfacePoint to;
};

// A text beside the box; `away` is the unit vector that points away from the box.
struct SurfaceText {
  SurfacePoint at;
  SurfacePoint away;
  std::string text;
};

// A field as a surface in a box, in orthographic projection, scaled so that the whole picture fits
// [-1, 1] x [-1, 1] in every view. Faces are sorted from back to front for the painter's algorithm;
// the walls are behind all of them.
struct Surface {
  std::vector<std::array<SurfacePoint, 4>> walls;  // the floor and the two walls at the back
  std::vector<SurfaceLine> grid;                   // on the walls, at the ticks
  std::vector<SurfaceFace> faces;
  std::vector<SurfaceText> ticks;
  std::vector<SurfaceText> names;  // of the axes
  // Whether the vertical axis has ticks and a name. Seen from steeply above it is too short for
  // them.
  bool upright = true;
};

// Uses at most `most_samples` along each axis. Faces with a corner whose value is unknown are left
// out. Empty when the field cannot be drawn.
Surface project_surface(const FieldPlot& plot, SurfaceView view, int most_samples = 65);

// A sample of the field where it is in the picture.
struct SurfaceSample {
  std::size_t index = 0;  // in FieldPlot::values
  SurfacePoint at;
};
// The sample that the viewer sees at this point: of the face in front, the nearest corner. Nothing
// beside the surface.
std::optional<SurfaceSample> sample_at(const Surface& surface, SurfacePoint at);

}  // namespace dispersion
