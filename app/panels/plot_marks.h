#pragma once

#include <span>
#include <vector>

#include "app/panels/painter.h"
#include "core/figure/figure.h"
#include "core/figure/figure_layout.h"

namespace dispersion {

// Parts of a plot, between ImPlot::SetupFinish() and EndPlot().

// Returns where their names stand.
std::vector<FigureBox> draw_ranges(const Painter& painter, const LinePlot& plot);
void draw_bars(const Painter& painter, const LinePlot& plot, float alpha);
// Their names keep off curves, points and `taken`.
void draw_reference_lines(const Painter& painter, const LinePlot& plot,
                          std::span<const FigureBox> taken);
// One of the plot's series; points that have no place on its axes are left out.
void draw_series(const Painter& painter, const LinePlot& plot, const Series& series,
                 std::span<const double> outdated, Colour value, float alpha);
// A line through a place on the x axis, if it is above 0.
void draw_marked(const Painter& painter, double x);

// What stands at a point of a curve.
void draw_mark(ImDrawList* list, Mark mark, ImVec2 centre, float radius, ImU32 ink,
               float thickness);

// A line through points of the window, with dashes of the same length at any scale.
void draw_dashes(ImDrawList* list, std::span<const ImVec2> points, ImU32 ink, float thickness,
                 float dash);

// The colour of bars, which stand behind everything.
Colour bar_colour(const Palette& palette, const Bars& bars);

}  // namespace dispersion
