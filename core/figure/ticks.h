#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/figure/figure.h"

namespace dispersion {

// The name of every axis along which n runs.
inline constexpr std::string_view kItemsLabel = "number of items n";

// An axis of set sizes: logarithmic, with powers of two as ticks ("1 024"). At most `most_ticks` of
// them: every power, or every second, third, ... counted from the smallest size.
// `smallest` >= 1; the limits leave a margin beyond the outermost sizes and never coincide.
Axis size_axis(int smallest, int largest, int most_ticks = 16);

// Ticks at multiples of 1, 2 or 5 times a power of ten within [low, high], at most `most_ticks`,
// their labels with as many decimals as the step needs. Empty when low >= high or not finite.
std::vector<Tick> round_ticks(double low, double high, int most_ticks = 8);

// Which ticks of an axis have room for their labels: every one, every second, third, ... from the
// first on, and so that the last has its label too where that costs less than half of them.
// `sizes`: of the labels along the axis, `length`: of the axis, `gap`: between labels, in one unit.
std::size_t label_stride(const Axis& axis, std::span<const double> sizes, double length,
                         double gap);

}  // namespace dispersion
