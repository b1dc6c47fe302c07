#pragma once

#include <string>

#include "core/figure/figure.h"

namespace dispersion {

// A logarithmic axis over whole decades that hold [smallest, largest], with the powers of ten as
// ticks ("0.01", "100", "10⁻⁸"), every one or every second, third, ... so that there are at most
// `most_ticks`. Values that are not above 0 count as absent; with none at all it spans 0.1 to 10.
Axis decade_axis(std::string label, double smallest, double largest, int most_ticks = 8);

// "0.001" to "10 000", beyond that "10⁻⁹" and "10¹²".
std::string power_of_ten_text(int exponent);

}  // namespace dispersion
