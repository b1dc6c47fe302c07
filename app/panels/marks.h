#pragma once

#include "app/panels/panel_state.h"
#include "core/figure/figure.h"

namespace dispersion {

// A size or a set that is pointed at in one view is marked in all others.

// Makes what the frame before found under the pointer the mark of this one.
void take_marks(const AppState& app, PanelState& state);

// The pointer is at this share in [0, 1] of an axis: where it counts items, the nearest of the
// sizes is pointed at.
void point_at(PanelState& state, const Axis& axis, double share);

// The value of the axis to be marked; NaN where there is none, or the axis means something else.
double marked_on(const Marked& marked, const Axis& axis);

}  // namespace dispersion
