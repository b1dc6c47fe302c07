#pragma once

#include "app/export/canvas.h"
#include "core/figure/figure.h"

namespace dispersion {

// Everything the painters need to know about how things look.
struct Look {
  Palette palette = kLightPalette;

  TextStyle title() const { return {22, palette.text, Weight::kMedium, Align::kLeft}; }
  TextStyle heading() const { return {16, palette.text, Weight::kMedium, Align::kLeft}; }
  TextStyle strong(Colour colour) const { return {14, colour, Weight::kMedium, Align::kLeft}; }
  TextStyle small(Colour colour, Align align = Align::kLeft) const {
    return {13, colour, Weight::kRegular, align};
  }
  TextStyle muted(Align align = Align::kLeft) const { return small(palette.muted, align); }
};

// Frames in rows, one row per strip, and the colour bar.
void paint_heatmap_grid(Canvas& canvas, const HeatmapGrid& grid, Rect area, const Look& look);

// Curves with their bands, axes and ticks; names at the ends of the lines.
void paint_line_plot(Canvas& canvas, const LinePlot& plot, Rect area, const Look& look);

// Title; grids one below the other; plots side by side; provenance in one line.
void paint_figure(Canvas& canvas, const Figure& figure, Rect area, const Look& look);

}  // namespace dispersion
