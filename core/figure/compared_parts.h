#pragma once

#include <string>
#include <string_view>

#include "core/figure/figure.h"

namespace dispersion {

// Parts of figures of two states, for difference.h.

// Whether two parts show the same numbers.
bool same_series(const Series& a, const Series& b);
bool same_plot(const LinePlot& a, const LinePlot& b);
bool same_field(const FieldPlot& a, const FieldPlot& b);
bool same_table(const Table& a, const Table& b);

// The axis that covers both, with the ticks of both.
Axis covering(const Axis& a, const Axis& b);

// What stands before the name of what is of A.
inline constexpr std::string_view kOfA = "A: ";

// A curve as that of A: dashed, hollow, without intervals, kOfA before its name.
Series dashed(Series series);

// The part with "A: " or "B: " before its title.
template <class Part>
Part titled(std::string_view side, Part part) {
  part.title = Statement::naming(std::string(side) + ": ") + part.title;
  return part;
}

}  // namespace dispersion
