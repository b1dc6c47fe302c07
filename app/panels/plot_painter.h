#pragma once

#include <optional>
#include <span>
#include <vector>

#include "app/panels/painter.h"
#include "core/figure/figure.h"

namespace dispersion {

struct PlotOptions {
  double marked = 0;  // a place on the x axis with a line through it; 0: none
  std::span<const double> outdated =
      {};  // points at these x are hollow, and the lines leave them out
  bool axis_names = false;
  float alpha = 1;
};

// Paints a LinePlot of core/figure with ImPlot, filling the rest of the current panel. Returns the
// x of the data point the user clicked.
std::optional<double> draw_line_plot(Painter& painter, const char* id, const LinePlot& plot,
                                     const PlotOptions& options);

// The names of curves and bars with their colours, from right to left in one line or, where that is
// too narrow, from the left in several.
float legend_width(const Painter& painter, const LinePlot& plot);
float legend_height(const Painter& painter, const LinePlot& plot, float width);
void draw_legend(const Painter& painter, const LinePlot& plot, ImVec2 corner, float width);

// Limits, scale and ticks of an axis (an ImAxis) of the current ImPlot plot, which is so wide.
void set_up_plot_axis(int index, const Axis& axis, float width, bool named = false);

// Widens [low, high] so that ImPlot can always make an axis of it.
void widen(double& low, double& high);

// "n = 1 024", "entropy (nats): 2.1": a value on an axis, in words.
std::string axis_value_text(const Axis& axis, double value);

}  // namespace dispersion
