#pragma once

#include <optional>
#include <span>

#include "app/panels/painter.h"
#include "core/figure/figure.h"

namespace dispersion {

// Paints a LinePlot of core/figure with ImPlot, filling the rest of the current panel. `marked` is
// a place on the x axis with a line through it. Points at the x of `outdated` are drawn hollow, and
// the lines leave them out. Returns the x of the data point the person clicked.
std::optional<double> draw_line_plot(Painter& painter, const char* id, const LinePlot& plot,
                                     double marked, std::span<const double> outdated);

// The names of the curves with their colours, right-aligned at this place.
float legend_width(const Painter& painter, const LinePlot& plot);
void draw_legend(const Painter& painter, const LinePlot& plot, ImVec2 right);

// Limits, scale and ticks of an axis (an ImAxis) of the current ImPlot plot, which is so wide.
void set_up_plot_axis(int index, const Axis& axis, float width);

// Widens [low, high] so that ImPlot can always make an axis of it.
void widen(double& low, double& high);

}  // namespace dispersion
