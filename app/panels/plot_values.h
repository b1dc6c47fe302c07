#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/panels/plot_interaction.h"

namespace dispersion {

// What a plot says about the place under the pointer.

// The points at this x are not current.
struct OldPoint {
  double x = 0;
  std::string age;  // "of step 1 200"
};

// While the pointer is on the labels of an axis: a tooltip with its name and symbols.
void explain_axis(const Painter& painter, const ShownAxes& axes, const PlotPointer& pointer);

// Shows a tooltip with the values of the sample nearest to the pointer and of all curves that have
// a sample at the same x, and with their age where they are of `old`. When the user clicks, returns
// that x instead. `inside`: the rectangle that the axes span.
std::optional<double> hover_plot(const Painter& painter, const LinePlot& plot, const Rect& inside,
                                 const PlotPointer& pointer, std::span<const OldPoint> old);

// The unit in a label such as "entropy H (nats)"; empty where it has none.
std::string unit_of(std::string_view label);

// A value on an axis with the axis's symbol or name: "n = 1 024", "entropy (nats): 2.1".
std::string axis_value_text(const Axis& axis, double value);

}  // namespace dispersion
