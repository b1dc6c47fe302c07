#include "app/export/figure_painter.h"

#include <string>
#include <vector>

namespace dispersion {
namespace {

constexpr double kMargin = 36;
constexpr double kGap = 28;
constexpr double kTitleHeight = 44;
constexpr double kProvenanceHeight = 24;
constexpr double kSentenceLine = 20;

std::string provenance_line(const Provenance& provenance) {
  std::string line;
  for (const auto& [name, value] : provenance) {
    // The recipe is an object of many fields, too long for a line that is read.
    if (name == "recipe") continue;
    line += (line.empty() ? "" : "  ·  ") + name + " " + value;
  }
  return line;
}

Rect rect(const FigureBox& box) {
  return {box.x, box.y, box.width, box.height};
}

// Under the title; returns the height it takes.
double paint_sentence(Canvas& canvas, const Figure& figure, Rect body, const Look& look) {
  const TextStyle style = {15, look.palette.text, Weight::kRegular, Align::kLeft};
  double y = body.y;
  for (const std::string& line : canvas.lines(figure.sentence, body.width, style)) {
    canvas.text({body.x, y + 8}, line, style);
    y += kSentenceLine;
  }
  return figure.sentence.empty() ? 0 : y - body.y + 14;
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
  const double sentence = paint_sentence(canvas, figure, body, look);
  body.y += sentence;
  body.height -= sentence;
  std::vector<TableSize> sizes;
  for (const Table& table : figure.tables)
    sizes.push_back(table_size(canvas, table, look));
  const FigureLayout layout =
      lay_out(figure, {body.x, body.y, body.width, body.height}, kGap, sizes);
  for (std::size_t i = 0; i < figure.grids.size(); ++i)
    paint_heatmap_grid(canvas, figure.grids[i], rect(layout.grids[i]), look);
  for (std::size_t i = 0; i < figure.fields.size(); ++i)
    paint_field(canvas, figure.fields[i], rect(layout.fields[i]), look);
  for (std::size_t i = 0; i < figure.plots.size(); ++i)
    paint_line_plot(canvas, figure.plots[i], rect(layout.plots[i]), look);
  for (std::size_t i = 0; i < figure.tables.size(); ++i)
    paint_table(canvas, figure.tables[i], rect(layout.tables[i]), look);
}

}  // namespace dispersion
