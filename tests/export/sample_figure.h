#pragma once

#include "core/figure/figure.h"

namespace dispersion {

// A figure that has everything a figure can have: heat maps, curves with intervals, bars, shaded
// ranges and reference lines, a field with a gap and a curve on it, and a table; with Greek letters
// and the characters that XML treats as its own.
Figure sample_figure();

// Its curves alone, under a title.
Figure one_plot();

}  // namespace dispersion
