#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/figure/figure.h"
#include "core/figure/figure_layout.h"

namespace dispersion {

// What is written in and above a line plot: its subtitle, which counts the points that the axes
// cannot show, and the names of its reference lines and curves.

// Whether the axes can show the point: it is finite, and above 0 along logarithmic axes.
bool has_place(const LinePlot& plot, double x, double y);

// The number of finite points of the plot's series that the axes cannot show.
std::int64_t hidden_points(const LinePlot& plot);

// The subtitle as the window and all files show it: with the number of hidden points, as in
// "8 points at error 0 not shown".
Statement painted_subtitle(const LinePlot& plot);

// Where the name of a reference line is written; y points down.
struct LineLabel {
  FigureBox box;
  bool shown = false;     // the line has a name and lies within the axes
  bool covering = false;  // every place for the name covers something; this one covers least
};

// A place for the name of every reference line, in the order of plot.lines. Those of vertical
// lines, which have fewer places, choose first. A name is written beside its line where it covers
// no curve, point, other line or text, as near as possible to the upper end of a vertical line or
// the right end of a horizontal one. `inside`: the rectangle between the axes; `widths`: of the
// names; `height`: of every name; `taken`: boxes of text that is written already.
std::vector<LineLabel> line_labels(const LinePlot& plot, FigureBox inside,
                                   std::span<const double> widths, double height,
                                   std::span<const FigureBox> taken);

// A curve in a legend.
struct LegendKey {
  std::size_t curve = 0;  // its index
  std::string name;
};

// The keys of curves of these names in the order of a legend: that of the state A stands behind
// that of the present one and is short there, "A" for "A: softmax" behind "softmax".
std::vector<LegendKey> legend_keys(std::span<const std::string> names);

// Whether the names of the curves can be written to the right of the plot, each at the end of its
// curve: every series is drawn as a line that reaches the right end of the plot.
bool curves_end_together(const LinePlot& plot);

}  // namespace dispersion
