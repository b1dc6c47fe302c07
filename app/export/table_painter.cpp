#include <algorithm>
#include <string>
#include <vector>

#include "app/export/plot_frame.h"

namespace dispersion {
namespace {

constexpr double kRowHeight = 22;
constexpr double kColumnGap = 22;
constexpr double kLeastColumnGap = 9;
constexpr double kNoteHeight = 18;

TextStyle cell_style(const TableCell& cell, const Look& look) {
  const bool plain = cell.role == ColourRole::kNeutral || cell.role == ColourRole::kReference;
  const Colour colour = cell.muted ? look.palette.muted
                        : plain    ? look.palette.text
                                   : role_colour(look.palette, cell.role);
  return {13, colour, cell.strong ? Weight::kMedium : Weight::kRegular, Align::kRight};
}

std::vector<double> column_widths(const Canvas& canvas, const Table& table, const Look& look) {
  std::vector<double> widths;
  for (const std::string& heading : table.headings)
    widths.push_back(canvas.text_width(heading, look.muted()));
  for (const auto& row : table.rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], canvas.text_width(row[i].text, cell_style(row[i], look)));
  }
  return widths;
}

double sum(const std::vector<double>& widths) {
  double total = 0;
  for (const double width : widths)
    total += width + kColumnGap;
  return std::max(0.0, total - kColumnGap);
}

// Where the columns end; the first begins at the left and its text is written from there.
std::vector<double> column_ends(const std::vector<double>& widths, Rect area) {
  // Some air where there is room, but not so much that rows fall apart.
  const double spare = area.width - sum(widths);
  const double air = widths.size() < 2 ? 0
                                       : std::clamp(spare / static_cast<double>(widths.size() - 1),
                                                    kLeastColumnGap - kColumnGap, 26.0);
  std::vector<double> ends;
  double x = area.x - kColumnGap - air;
  for (const double width : widths) {
    x += width + kColumnGap + air;
    ends.push_back(x);
  }
  return ends;
}

}  // namespace

double least_table_width(const Canvas& canvas, const Table& table, const Look& look) {
  const std::vector<double> widths = column_widths(canvas, table, look);
  const auto gaps = static_cast<double>(std::max<std::size_t>(widths.size(), 1) - 1);
  return std::max(0.0, sum(widths) - gaps * (kColumnGap - kLeastColumnGap));
}

TableSize table_size(const Canvas& canvas, const Table& table, const Look& look) {
  const double words = std::max(canvas.text_width(table.title, look.heading()),
                                canvas.text_width(table.subtitle, look.muted()));
  const double width = std::max(sum(column_widths(canvas, table, look)), words);
  return {width, 62 + kRowHeight * (static_cast<double>(table.rows.size()) + 1) +
                     kNoteHeight * static_cast<double>(2 * table.notes.size())};
}

void paint_table(Canvas& canvas, const Table& table, Rect area, const Look& look) {
  double y = area.y + paint_heading(canvas, table.title, table.subtitle, area, look);
  const std::vector<double> ends = column_ends(column_widths(canvas, table, look), area);
  const double right = ends.empty() ? area.right() : ends.back();
  const auto write = [&](std::size_t column, double baseline, const std::string& text,
                         TextStyle style) {
    style.align = column == 0 ? Align::kLeft : Align::kRight;
    canvas.text({column == 0 ? area.x : ends[column], baseline}, text, style);
  };
  for (std::size_t i = 0; i < table.headings.size(); ++i)
    write(i, y + 15, table.headings[i], look.muted());
  y += kRowHeight;
  canvas.hairline({area.x, y}, {right, y}, look.palette.line);
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      write(i, y + 16, row[i].text, cell_style(row[i], look));
    y += kRowHeight;
  }
  canvas.hairline({area.x, y}, {right, y}, look.palette.line);
  for (const std::string& note : table.notes) {
    for (const std::string& line : canvas.lines(note, area.width, look.muted())) {
      y += kNoteHeight;
      canvas.text({area.x, y}, line, look.muted());
    }
  }
}

}  // namespace dispersion
