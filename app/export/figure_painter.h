#pragma once

#include <optional>

#include "app/export/canvas.h"
#include "core/figure/figure.h"
#include "core/figure/figure_layout.h"
#include "core/figure/surface.h"

namespace dispersion {

// Everything the painters need to know about how things look.
struct DrawOptions {
  Palette palette = kLightPalette;
  FontFamily family = FontFamily::kSans;
  bool surfaces = false;     // fields as surfaces and not as heat maps
  SurfaceView view;          // from where those are seen
  bool transparent = false;  // no ground
  bool with_title = true;
  bool with_sentence = true;    // what is seen
  bool with_provenance = true;  // where it came from, in one line
  bool all_rows = true;         // of tables; false: the main ones
  double margin = 36;
  // What every plot of the figure leaves to its right for names, so that their axes end together;
  // 0: names stand in legends.
  std::optional<double> names;
  double plot_height = 1;  // share of the height that suits plots and fields, which is asked for
  bool axis_names = true;
  bool grid = false;           // lines at the ticks of x as well
  bool overlay_names = false;  // of curves on fields
  int surface_samples = 65;    // along an axis, at most

  Lettering title() const { return {22, palette.text, Weight::kMedium, Align::kLeft}; }
  Lettering heading() const { return {16, palette.text, Weight::kMedium, Align::kLeft}; }
  Lettering strong(Colour colour) const { return {14, colour, Weight::kMedium, Align::kLeft}; }
  Lettering small(Colour colour, Align align = Align::kLeft) const {
    return {13, colour, Weight::kRegular, align};
  }
  Lettering muted(Align align = Align::kLeft) const { return small(palette.muted, align); }
};

// Frames in rows, one row per strip, and the colour bar.
void paint_heatmap_grid(Canvas& canvas, const HeatmapGrid& grid, Rect area,
                        const DrawOptions& options);

// What plots of at least that width leave for names at the ends of their curves; 0 where one of
// them needs a legend.
double room_for_names(const Canvas& canvas, const Figure& figure, double width,
                      const DrawOptions& options);

// Curves with their bands, axes and ticks; names at the ends of the curves, or in a legend where
// they are many or end apart.
void paint_line_plot(Canvas& canvas, const LinePlot& plot, Rect area, const DrawOptions& options);

// A heat map with its colour bar, or the same numbers as a surface.
void paint_field(Canvas& canvas, const FieldPlot& plot, Rect area, const DrawOptions& options);

// Parts of both for those who place headings and legends themselves.

// Where the axes span, and how much is left for labels and name at their left.
struct PlotFrame {
  Rect inside;
  double axis_width = 0;
};

// With as much room for labels and names as they take in `area`; for a field what is left of its
// colour bar.
PlotFrame fitted_frame(const Canvas& canvas, const Axis& x_axis, const Axis& y_axis, Rect area,
                       const DrawOptions& options);
PlotFrame fitted_frame(const Canvas& canvas, const FieldPlot& plot, Rect area,
                       const DrawOptions& options);

// Curves and axes.
void paint_curves(Canvas& canvas, const LinePlot& plot, const PlotFrame& frame,
                  const DrawOptions& options);

// The line and the mark of a curve in a legend, beside text with its baseline at `at`.
void paint_key(Canvas& canvas, const Series& series, Colour colour, Point at);
// Of bars behind curves.
Colour bar_colour(const Palette& palette, const Bars& bars);

// A field as a heat map with axes and colour bar, and as a surface.
void paint_map(Canvas& canvas, const FieldPlot& plot, const PlotFrame& frame,
               const DrawOptions& options);
void paint_surface(Canvas& canvas, const FieldPlot& plot, Rect area, const DrawOptions& options);

// Rows and columns with their notes, and the room they take if they can, where the figure has so
// much width. A table that is wider is written somewhat smaller.
void paint_table(Canvas& canvas, const Table& table, Rect area, const DrawOptions& options);
TableSize table_size(const Canvas& canvas, const Table& table, double width,
                     const DrawOptions& options);

// How narrow and how high each part may be before something no longer fits. Heights include the
// part's own heading.
double least_grid_width(const HeatmapGrid& grid);
double least_table_width(const Canvas& canvas, const Table& table, const DrawOptions& options);
double line_plot_height(const Canvas& canvas, const LinePlot& plot, double width,
                        const DrawOptions& options);
double field_height(const Canvas& canvas, const FieldPlot& plot, double width,
                    const DrawOptions& options);
double grid_height(const Canvas& canvas, const HeatmapGrid& grid, double width,
                   const DrawOptions& options);

// The least width in which a figure can be painted, and the height that suits it in a width.
double least_width(const Canvas& canvas, const Figure& figure, const DrawOptions& options);
double natural_height(const Canvas& canvas, const Figure& figure, double width,
                      const DrawOptions& options);

// Title and what is seen; all parts as lay_out() places them, or one below the other where
// the area is narrow; where it came from.
void paint_figure(Canvas& canvas, const Figure& figure, Rect area, const DrawOptions& options);

}  // namespace dispersion
