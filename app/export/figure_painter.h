#pragma once

#include <optional>

#include "app/export/canvas.h"
#include "core/figure/figure.h"
#include "core/figure/figure_layout.h"
#include "core/figure/surface.h"

namespace dispersion {

struct PaintedSurface;

// How a figure is drawn.
struct DrawOptions {
  Palette palette = kLightPalette;
  FontFamily family = FontFamily::kSans;
  bool surfaces = false;     // draws fields as surfaces, else as heat maps
  SurfaceView view;          // the direction from which surfaces are seen
  bool transparent = false;  // leaves out the background
  bool with_title = true;
  bool with_sentence = true;    // the sentence that says what the figure shows
  bool with_provenance = true;  // the line below the figure that says how it was made
  bool all_rows = true;         // draws all rows of tables, else only the main ones
  double margin = 36;
  // The width that each plot leaves to its right for the names of its curves, the same in all plots
  // so that their axes are aligned. 0: names stand in legends. Empty: each plot decides.
  std::optional<double> names;
  double plot_height = 1;  // height of plots and fields, as a share of the one that suits them
  bool axis_names = true;
  bool grid = false;           // draws lines at the ticks of the x axis too
  bool overlay_names = false;  // names the curves on fields
  // Where the window draws a line across plots, which the names of other lines leave free; 0:
  // nowhere.
  double marked_x = 0;
  int surface_samples = 65;  // most samples of a surface along an axis

  Lettering title() const { return {22, palette.text, Weight::kMedium, Align::kLeft}; }
  Lettering heading() const { return {16, palette.text, Weight::kMedium, Align::kLeft}; }
  Lettering strong(Colour colour) const { return {14, colour, Weight::kMedium, Align::kLeft}; }
  Lettering small(Colour colour, Align align = Align::kLeft) const {
    return {13, colour, Weight::kRegular, align};
  }
  Lettering muted(Align align = Align::kLeft) const { return small(palette.muted, align); }
};

// Paints a grid of heat maps with its colour bar: one row for each strip.
void paint_heatmap_grid(Canvas& canvas, const HeatmapGrid& grid, Rect area,
                        const DrawOptions& options);

// The width that each plot of the figure leaves for names at the ends of its curves, if the
// narrowest plot has this `width`; 0 if one of them needs a legend.
double room_for_names(const Canvas& canvas, const Figure& figure, double width,
                      const DrawOptions& options);

// Paints a plot: heading, axes, and curves with their bands. The names of the curves stand at their
// ends, or in a legend if there are many or some end before the others.
void paint_line_plot(Canvas& canvas, const LinePlot& plot, Rect area, const DrawOptions& options);

// Paints a field as a heat map with its colour bar, or as a surface.
void paint_field(Canvas& canvas, const FieldPlot& plot, Rect area, const DrawOptions& options);

// The parts of plots and fields without headings and legends, for the window, which places these
// itself.

// The rectangle that the axes span, and the width to its left for the labels and the name of the y
// axis.
struct PlotFrame {
  Rect inside;
  double axis_width = 0;
};

// The largest frame in `area` that leaves enough room for the labels and names of the axes and, for
// a field, for its colour bar.
PlotFrame fitted_frame(const Canvas& canvas, const Axis& x_axis, const Axis& y_axis, Rect area,
                       const DrawOptions& options);
PlotFrame fitted_frame(const Canvas& canvas, const FieldPlot& plot, Rect area,
                       const DrawOptions& options);

// Paints the curves and axes of a plot.
void paint_curves(Canvas& canvas, const LinePlot& plot, const PlotFrame& frame,
                  const DrawOptions& options);

// Paints the key of a curve in a legend: its line and its mark. `at` is the left end of the
// baseline of the legend text.
void paint_key(Canvas& canvas, const Series& series, Colour colour, Point at);
// The colour of bars, which are behind curves and therefore pale.
Colour bar_colour(const Palette& palette, const Bars& bars);

// Paint a field as a heat map with axes and colour bar, and as a surface.
void paint_map(Canvas& canvas, const FieldPlot& plot, const PlotFrame& frame,
               const DrawOptions& options);
PaintedSurface paint_surface(Canvas& canvas, const FieldPlot& plot, Rect area,
                             const DrawOptions& options);

// Paint a table with its notes, and tell the size that suits it in a figure of this width. A table
// that is wider than its area is written somewhat smaller.
void paint_table(Canvas& canvas, const Table& table, Rect area, const DrawOptions& options);
TableSize table_size(const Canvas& canvas, const Table& table, double width,
                     const DrawOptions& options);

// The least width of each part, and the height that suits it. Heights include the heading of the
// part.
double least_grid_width(const HeatmapGrid& grid);
double least_table_width(const Canvas& canvas, const Table& table, const DrawOptions& options);
double line_plot_height(const Canvas& canvas, const LinePlot& plot, double width,
                        const DrawOptions& options);
double field_height(const Canvas& canvas, const FieldPlot& plot, double width,
                    const DrawOptions& options);
double grid_height(const Canvas& canvas, const HeatmapGrid& grid, double width,
                   const DrawOptions& options);

// The least width in which a figure can be painted, and the height that suits it at a width.
double least_width(const Canvas& canvas, const Figure& figure, const DrawOptions& options);
double natural_height(const Canvas& canvas, const Figure& figure, double width,
                      const DrawOptions& options);

// Paints a figure: title and sentence; its parts as lay_out() places them, or one below the other
// in a narrow area; and the provenance below.
void paint_figure(Canvas& canvas, const Figure& figure, Rect area, const DrawOptions& options);

}  // namespace dispersion
