#pragma once

#include "app/desk/desk.h"
#include "app/panels/painter.h"

namespace dispersion {

// The few settings of the study in front.
void draw_study_settings(Desk& desk, Painter& painter);

}  // namespace dispersion
