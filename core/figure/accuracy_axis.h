#pragma once

#include "core/figure/figure.h"

namespace dispersion {

// What every plot of an accuracy in percent has: its axis, which ends a little above 100, so that
// the curve of a perfect score is not cut in half, and a line at the accuracy of guessing.
void use_accuracy_axis(LinePlot& plot, int most_ticks = 6);

// "chance 10 %": of a guess among the classes of the task.
ReferenceLine chance_line();

}  // namespace dispersion
