#include "app/export/figure_painter.h"

#include <string>

namespace dispersion {
namespace {

constexpr double kMargin = 36;
constexpr double kGap = 28;
constexpr double kTitleHeight = 44;
constexpr double kProvenanceHeight = 24;
constexpr double kGridShare = 0.58;  // of the height, where there are plots as well

std::string provenance_line(const Provenance& provenance) {
  std::string line;
  for (const auto& [name, value] : provenance) {
    // The recipe is an object of many fields, too long for a line that is read.
    if (name == "recipe") continue;
    line += (line.empty() ? "" : "  ·  ") + name + " " + value;
  }
  return line;
}

void paint_grids(Canvas& canvas, const Figure& figure, Rect area, const Look& look) {
  const auto count = static_cast<double>(figure.grids.size());
  const double height = (area.height - kGap * (count - 1)) / count;
  double y = area.y;
  for (const HeatmapGrid& grid : figure.grids) {
    paint_heatmap_grid(canvas, grid, {area.x, y, area.width, height}, look);
    y += height + kGap;
  }
}

void paint_plots(Canvas& canvas, const Figure& figure, Rect area, const Look& look) {
  const auto count = static_cast<double>(figure.plots.size());
  const double width = (area.width - kGap * (count - 1)) / count;
  double x = area.x;
  for (const LinePlot& plot : figure.plots) {
    paint_line_plot(canvas, plot, {x, area.y, width, area.height}, look);
    x += width + kGap;
  }
}

}  // namespace

void paint_figure(Canvas& canvas, const Figure& figure, Rect area, const Look& look) {
  canvas.fill(area, look.palette.panel);
  const double left = area.x + kMargin;
  canvas.text({left, area.y + kMargin + 16}, figure.title, look.title());
  const TextStyle fine = {12, look.palette.muted, Weight::kRegular, Align::kLeft};
  canvas.text({left, area.bottom() - kMargin + 8}, provenance_line(figure.provenance), fine);

  const double top = area.y + kMargin + kTitleHeight;
  Rect body = {left, top, area.width - 2 * kMargin,
               area.bottom() - kMargin - kProvenanceHeight - top};
  if (!figure.grids.empty()) {
    Rect grids = body;
    if (!figure.plots.empty()) grids.height = kGridShare * (body.height - kGap);
    paint_grids(canvas, figure, grids, look);
    body.y += grids.height + kGap;
    body.height -= grids.height + kGap;
  }
  if (!figure.plots.empty()) paint_plots(canvas, figure, body, look);
}

}  // namespace dispersion
