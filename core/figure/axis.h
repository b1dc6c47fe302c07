#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/figure/figure.h"

namespace dispersion {

// Axes of plots: their limits, their ticks, and where a value lies on them.

// The label of every axis that shows n, the number of items.
inline constexpr std::string_view kItemsLabel = "number of items n";

// Whether the axis has that label.
bool counts_items(const Axis& axis);

// A logarithmic axis for set sizes from `smallest` (at least 1) to `largest`, with a margin beyond
// both. Its ticks are powers of two ("1 024"): every power, or every second, third, ... from the
// smallest size on, so that there are at most `most_ticks`.
Axis size_axis(int smallest, int largest, int most_ticks = 16);

// A logarithmic axis over the whole decades that contain [smallest, largest]. Its ticks are powers
// of ten ("0.01", "100", "10⁻⁸"): every power, or every second, third, ... so that there are at
// most `most_ticks`. A limit that is not above 0 is ignored; without any the axis goes from 0.1
// to 10.
Axis decade_axis(std::string label, double smallest, double largest, int most_ticks = 8);

// Ticks at these multiples of 10^first, 10^(first + stride), ... up to 10^last, ascending;
// multiples from 1 to 9. All of them are written in full if all lie between 0.001 and 99 999, and
// else all with a power of ten ("10⁵", "2·10⁵"), so that an axis has one notation.
std::vector<Tick> log_ticks(int first, int last, int stride, std::span<const int> multiples);

// Ticks at multiples of 1, 2 or 5 times a power of ten within [low, high], at most `most_ticks`,
// with as many decimals in their labels as the step needs. Empty when low >= high or when a limit
// is not finite.
std::vector<Tick> round_ticks(double low, double high, int most_ticks = 8);

// The stride s for which the labels of the ticks 0, s, 2s, ... fit along the axis: the smallest
// one, or one below twice the smallest with which the last tick is labelled too. `sizes`: the
// extents of the labels along the axis; `length`: the length of the axis; `gap`: the least distance
// between labels; all in one unit.
std::size_t label_stride(const Axis& axis, std::span<const double> sizes, double length,
                         double gap);

// Where a value lies on the axis: 0 at its low end, 1 at its high end. Not finite for a value that
// a logarithmic axis cannot show.
double axis_share(const Axis& axis, double value);

// Whether the value can be shown on an axis of this kind, but lies outside its limits.
bool beyond(const Axis& axis, double value);

// Whether a plot can be drawn along the axis: its limits are finite and ascending, and above 0
// where it is logarithmic.
bool drawable(const Axis& axis);

}  // namespace dispersion
