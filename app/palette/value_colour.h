#pragma once

#include <array>

#include "app/palette/palette.h"

namespace dispersion {

// The colour of a value at this position of its colour scale (see colour_position): a field has its
// own map, attention weights have viridis, and values with a sign have the diverging colours.
Colour value_colour(const FieldPlot& plot, double position);
Colour value_colour(const HeatmapGrid& grid, double position);

// From blue over light grey in the middle to orange, which colour-blind readers tell apart; equally
// dark at equal distances from the middle.
extern const std::array<Colour, 256> kDiverging;

}  // namespace dispersion
