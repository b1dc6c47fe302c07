#pragma once

#include "app/export/canvas.h"
#include "core/figure/figure.h"

namespace dispersion {

// What stands at a point of a curve.
void paint_mark(Canvas& canvas, Mark mark, Point centre, double radius, Colour colour,
                double alpha = 1);

}  // namespace dispersion
