#pragma once

#include <string_view>
#include <vector>

#include "app/panels/painter.h"
#include "core/figure/compared_values.h"

namespace dispersion {

// The columns of numbers of two states: A and B, A, B and B minus A, or one that holds for both.
enum class ComparedColumns { kBoth, kWithDifference, kSame };

// The name of a group of rows with the names of its columns.
void compared_heading(Painter& painter, std::string_view name, Colour colour,
                      ComparedColumns columns);

// A label and the numbers of both; a click copies them with all digits.
void compared_row(Painter& painter, const ComparedValue& value, Colour colour,
                  ComparedColumns columns);

// A group of values without differences: first those that are the same in both, once, then those
// of A and of B. `section`: as in Painter.
void compared_group(Painter& painter, std::string_view name, std::string_view section,
                    const std::vector<ComparedValue>& values);

}  // namespace dispersion
