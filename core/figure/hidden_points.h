#pragma once

#include <cstdint>
#include <string>

#include "core/figure/figure.h"

namespace dispersion {

// Whether a point can be painted: a logarithmic axis has no place for 0 and below.
bool has_place(const LinePlot& plot, double x, double y);

// Points of the plot's series that are numbers and have no place.
std::int64_t hidden_points(const LinePlot& plot);

// The subtitle as it is painted everywhere: hidden points are counted in it, as in "8 points at
// error 0 not shown".
std::string painted_subtitle(const LinePlot& plot);

}  // namespace dispersion
