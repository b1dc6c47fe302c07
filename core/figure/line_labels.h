#pragma once

#include <span>
#include <vector>

#include "core/figure/figure_layout.h"

namespace dispersion {

// Where the name of a reference line stands, y down.
struct LineLabel {
  FigureBox box;
  bool shown = false;     // its line lies on the axes and has a name
  bool covering = false;  // it found no place without something beneath
};

// One place per reference line of the plot, in the plot's own order: beside its line, where no
// curve, no point, no other line and no other name lies, as near as that goes to the upper end of a
// vertical line and to the right end of a horizontal one. `inside`: where the axes span; `widths`:
// of the names; `height`: of one; `taken`: where something else is written.
std::vector<LineLabel> line_labels(const LinePlot& plot, FigureBox inside,
                                   std::span<const double> widths, double height,
                                   std::span<const FigureBox> taken);

// Whether names can stand beside the plot, each at the end of its curve: all curves go on to the
// right end of the plot, and each has a line.
bool curves_end_together(const LinePlot& plot);

}  // namespace dispersion
