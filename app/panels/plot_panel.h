#pragma once

#include <optional>
#include <span>

#include "app/panels/panel_state.h"
#include "core/figure/zoom.h"

namespace dispersion {

struct PlotOptions {
  double marked = 0;  // a place on the x axis with a line through it; 0: none
  std::span<const double> outdated =
      {};  // points at these x are hollow, and the lines leave them out
  bool axis_names = false;
  float alpha = 1;
  bool scrolls = false;  // the wheel without Ctrl is for the window around
};

// A plot in a panel of its own, with title, subtitle and legend, as `zoom` says; the mouse changes
// that. Returns the x of the data point that was clicked.
std::optional<double> draw_plot_panel(PanelState& state, const char* id, const LinePlot& plot,
                                      FigureZoom& zoom, const PlotOptions& options, ImVec2 size);

}  // namespace dispersion
