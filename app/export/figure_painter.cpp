#include "app/export/figure_painter.h"

#include <string>
#include <vector>

namespace dispersion {
namespace {

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

// All that is not a part of the figure; returns what is left for these.
Rect paint_words(Canvas& canvas, const Figure& figure, Rect area, const Look& look) {
  const double margin = look.margin;
  Rect body = {area.x + margin, area.y + margin, area.width - 2 * margin, area.height - 2 * margin};
  if (look.with_title) {
    canvas.text({body.x, body.y + 16}, figure.title, look.title());
    body.y += kTitleHeight;
    body.height -= kTitleHeight;
  }
  if (look.with_provenance) {
    const TextStyle fine = {12, look.palette.muted, Weight::kRegular, Align::kLeft};
    canvas.text({body.x, body.bottom() + 8}, provenance_line(figure.provenance), fine);
    body.height -= kProvenanceHeight;
  }
  if (look.with_sentence) {
    const double sentence = paint_sentence(canvas, figure, body, look);
    body.y += sentence;
    body.height -= sentence;
  }
  return body;
}

}  // namespace

void paint_figure(Canvas& canvas, const Figure& figure, Rect area, const Look& look) {
  if (!look.transparent) canvas.fill(area, look.palette.panel);
  const Rect body = paint_words(canvas, figure, area, look);
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
