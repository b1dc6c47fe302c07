#pragma once

#include "app/palette/palette.h"

namespace dispersion {

// The colour of a value at this position of its colour scale (see colour_position): a field has its
// own map, attention weights have viridis, and values with a sign have the diverging colours.
Colour value_colour(const FieldPlot& plot, double position, const Palette& palette);
Colour value_colour(const HeatmapGrid& grid, double position, const Palette& palette);

// From blue over a middle near the ground of the panels to orange, which colour-blind readers tell
// apart; equally light at equal distances from the middle: darker than it on a light ground, and
// lighter on a dark one, of which nothing glares where nothing differs.
Colour diverging_colour(double position, const Palette& palette);

}  // namespace dispersion
