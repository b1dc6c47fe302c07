#pragma once

#include <optional>

#include "app/panels/plot_painter.h"

namespace dispersion {

// A plot in a panel of its own, with title, subtitle and legend. Returns the x that was clicked.
std::optional<double> draw_plot_panel(Painter& painter, const char* id, const LinePlot& plot,
                                      const PlotOptions& options, ImVec2 size);

}  // namespace dispersion
