#pragma once

#include <vector>

#include "core/figure/figure.h"

namespace dispersion {

// An axis of set sizes: logarithmic, with the powers of two that fit as ticks ("1 024"). At most
// `most_ticks` of them: every power, or every second, third, ... counted from the smallest size.
// `smallest` >= 1; the limits leave a margin beyond the outermost sizes and never coincide.
Axis size_axis(int smallest, int largest, int most_ticks = 7);

// Ticks at multiples of 1, 2 or 5 times a power of ten within [low, high], at most `most_ticks`,
// their labels with as many decimals as the step needs. Empty when low >= high or not finite.
std::vector<Tick> round_ticks(double low, double high, int most_ticks = 8);

}  // namespace dispersion
