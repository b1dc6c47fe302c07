#pragma once

#include <cstddef>

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

// Whether a cell of a table is about the marked size: in the column that has it as its heading, or
// the row that begins with it.
bool marks_cell(const Marked& marked, const Table& table, std::size_t row, std::size_t column);

// The size that a cell of a table is about; 0: none.
int items_of_cell(const Table& table, std::size_t row, std::size_t column);

}  // namespace dispersion
