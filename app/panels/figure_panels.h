#pragma once

#include <optional>
#include <span>

#include "app/panels/panel_state.h"
#include "app/panels/plot_values.h"
#include "core/figure/figure_layout.h"
#include "core/figure/zoom.h"

namespace dispersion {

struct TableSource;

// Panels that draw one part of a figure each. `id` names the panel for Dear ImGui and for tests,
// `size` is in window units, and `alpha` fades the data when it is out of date.

struct PlotOptions {
  double marked = 0;  // draws a vertical line at this x; 0: no line
  // Points that are drawn as rings, which the lines do not pass through.
  std::span<const OldPoint> outdated = {};
  bool axis_names = false;
  float alpha = 1;
  bool scrolls = false;  // the wheel zooms with Ctrl only, and otherwise scrolls the parent window
  const TableSource* table = nullptr;  // the numbers where they are not those of the plot
};

// A plot with title, subtitle and legend, showing the limits and curves that `zoom` selects; the
// mouse changes `zoom`. Returns the x of the data point that was clicked.
std::optional<double> draw_plot_panel(PanelState& state, const char* id, const LinePlot& plot,
                                      FigureZoom& zoom, const PlotOptions& options, ImVec2 size);

// A field as a heat map with its colour bar, within the limits of `zoom`; the mouse changes them.
// `scrolls`: as in PlotOptions. Returns the number of items that was clicked.
std::optional<double> draw_field_panel(PanelState& state, const char* id, const FieldPlot& plot,
                                       FigureZoom& zoom, float alpha, bool scrolls, ImVec2 size);

// The same numbers as a surface. Dragging turns all surfaces of `zoom`; a double click resets the
// turn.
std::optional<double> draw_surface_panel(PanelState& state, const char* id, const FieldPlot& plot,
                                         FigureZoom& zoom, float alpha, ImVec2 size);

// A table, which scrolls where the panel is too small. A click on a row copies it.
void draw_table_panel(PanelState& state, const char* id, const Table& table, float alpha,
                      ImVec2 size);

// The letters of a cell. A table that is too wide for its panel is set in small type.
TextStyle cell_style(const TableCell& cell, bool small);

// The size at which the table's panel needs no scrolling, in window units.
TableSize table_panel_size(const Painter& painter, const Table& table);

}  // namespace dispersion
