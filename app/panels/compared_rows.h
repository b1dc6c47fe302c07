#pragma once

#include <string_view>

#include "app/panels/painter.h"
#include "core/figure/compared_values.h"

namespace dispersion {

// The columns of numbers of two states: A and B, or A, B and B minus A.
enum class ComparedColumns { kBoth, kWithDifference };

// The name of a group of rows with the names of its columns.
void compared_heading(Painter& painter, std::string_view name, Colour colour,
                      ComparedColumns columns);

// A label and the numbers of both; a click copies them with all digits. Without a column of
// differences, a number that is the same in both stands in that of B alone.
void compared_row(Painter& painter, const ComparedValue& value, Colour colour,
                  ComparedColumns columns);

}  // namespace dispersion
