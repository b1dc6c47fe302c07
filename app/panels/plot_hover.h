#pragma once

#include <optional>

#include "app/panels/painter.h"
#include "core/figure/figure.h"

namespace dispersion {

// The values under the pointer, in a tooltip: of the sample nearest to it, and of all curves that
// have one there. Returns the sample's x when the user clicks. Before ImPlot::EndPlot().
std::optional<double> hover_plot(const Painter& painter, const LinePlot& plot);

}  // namespace dispersion
