#pragma once

#include <optional>
#include <string>

#include "app/panels/plot_interaction.h"

namespace dispersion {

// The values under the pointer, in a tooltip: of the sample nearest to it, and of all curves that
// have one there. Returns the sample's x when the user clicks. `inside`: where the axes span.
std::optional<double> hover_plot(const Painter& painter, const LinePlot& plot, const Rect& inside,
                                 const PlotPointer& pointer);

// "n = 1 024", "entropy (nats): 2.1": a value on an axis, in words.
std::string axis_value_text(const Axis& axis, double value);

}  // namespace dispersion
