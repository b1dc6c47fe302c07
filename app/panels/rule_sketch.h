#pragma once

#include "app/desk/desk.h"
#include "app/panels/painter.h"

namespace dispersion {

// A small curve of beta(H), with the entropies of the frames on it.
void draw_rule_sketch(const Desk& desk, Painter& painter);

}  // namespace dispersion
