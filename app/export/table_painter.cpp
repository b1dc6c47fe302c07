#include <algorithm>
#include <string>
#include <vector>

#include "app/export/plot_frame.h"

namespace dispersion {
namespace {

constexpr double kRowHeight = 22;
constexpr double kColumnGap = 22;
constexpr double kCloseColumnGap = 12;
constexpr double kLeastColumnGap = 9;
constexpr double kMostColumnGap = 48;  // with wider gaps rows are hard to follow
constexpr double kNoteHeight = 18;
constexpr double kPartGap = 6;          // between the main rows and the others
constexpr double kLeastLetters = 0.81;  // least text size, as a share of small text

// A table with its columns measured.
struct MeasuredTable {
  Table table;
  std::vector<double> widths;  // the widest cell of each column, in text of full size

  double gaps() const { return static_cast<double>(std::max<std::size_t>(widths.size(), 1) - 1); }
  double width(double gap) const {
    double total = gap * gaps();
    for (const double width : widths)
      total += width;
    return total;
  }
  // The text size, as a share of the full one, with which the table fits into the room, but not
  // less than kLeastLetters.
  double letters(double room) const {
    return std::clamp(room / std::max(width(kLeastColumnGap), 1.0), kLeastLetters, 1.0);
  }
  bool two_parts() const {
    return table.main_rows > 0 && static_cast<std::size_t>(table.main_rows) < table.rows.size();
  }
};

Lettering cell_style(const TableCell& cell, const DrawOptions& options) {
  const bool plain = cell.role == ColourRole::kNeutral || cell.role == ColourRole::kReference;
  const Colour colour = cell.muted ? options.palette.muted
                        : plain    ? options.palette.text
                                   : role_colour(options.palette, cell.role);
  return {13, colour, cell.strong ? Weight::kMedium : Weight::kRegular, Align::kRight};
}

MeasuredTable measure_table(const Canvas& canvas, const Table& whole, const DrawOptions& options) {
  MeasuredTable measured = {options.all_rows ? whole : main_part(whole), {}};
  std::vector<double>& widths = measured.widths;
  for (const std::string& heading : measured.table.headings)
    widths.push_back(canvas.text_width(heading, options.muted()));
  for (const auto& row : measured.table.rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], canvas.text_width(row[i].text, cell_style(row[i], options)));
  }
  return measured;
}

// Where each column ends. The first one begins at the left of the area.
std::vector<double> column_ends(const MeasuredTable& measured, Rect area) {
  const double letters = measured.letters(area.width);
  const double gaps = std::max(measured.gaps(), 1.0);
  const double gap = std::clamp((area.width - letters * measured.width(0)) / gaps,
                                letters * kLeastColumnGap, kMostColumnGap);
  std::vector<double> ends;
  double x = area.x - gap;
  for (const double width : measured.widths) {
    x += letters * width + gap;
    ends.push_back(x);
  }
  return ends;
}

}  // namespace

double least_table_width(const Canvas& canvas, const Table& table, const DrawOptions& options) {
  return kLeastLetters * measure_table(canvas, table, options).width(kLeastColumnGap);
}

TableSize table_size(const Canvas& canvas, const Table& table, double width,
                     const DrawOptions& options) {
  const MeasuredTable measured = measure_table(canvas, table, options);
  const double words = std::max(canvas.text_width(table.title, options.heading()),
                                canvas.text_width(table.subtitle, options.muted()));
  // Columns are kColumnGap apart, or closer if the table can then stand beside plots.
  const double beside = kTablesBeside * width;
  const double natural = std::max(
      {std::min(measured.width(kColumnGap), beside), measured.width(kCloseColumnGap), words});
  const double given = natural <= beside ? natural : width;
  const double letters = measured.letters(given);
  Lettering small = options.muted();
  small.size *= letters;
  double height = heading_height(canvas, table.title, table.subtitle, given, options) +
                  letters * kRowHeight * (static_cast<double>(measured.table.rows.size()) + 1) +
                  (measured.two_parts() ? kPartGap : 0);
  for (const std::string& note : measured.table.notes) {
    const std::vector<std::string> lines = canvas.lines(note, given, small);
    height += letters * kNoteHeight * static_cast<double>(lines.size());
  }
  return {natural, height + kPartGap};
}

void paint_table(Canvas& canvas, const Table& table, Rect area, const DrawOptions& options) {
  double y = area.y + paint_heading(canvas, table.title, table.subtitle, area, options);
  const MeasuredTable measured = measure_table(canvas, table, options);
  const double letters = measured.letters(area.width);
  const std::vector<double> ends = column_ends(measured, area);
  const double right = ends.empty() ? area.right() : ends.back();
  const auto write = [&](std::size_t column, const std::string& text, Lettering style) {
    style.align = column == 0 ? Align::kLeft : Align::kRight;
    style.size *= letters;
    canvas.text({column == 0 ? area.x : ends[column], y + letters * 16}, text, style);
  };
  const auto rule = [&] { canvas.hairline({area.x, y}, {right, y}, options.palette.line); };
  for (std::size_t i = 0; i < measured.table.headings.size(); ++i)
    write(i, measured.table.headings[i], options.muted());
  y += letters * kRowHeight;
  rule();
  for (std::size_t row = 0; row < measured.table.rows.size(); ++row) {
    if (measured.two_parts() && row == static_cast<std::size_t>(table.main_rows)) {
      y += kPartGap / 2;
      rule();
      y += kPartGap / 2;
    }
    const std::vector<TableCell>& cells = measured.table.rows[row];
    for (std::size_t i = 0; i < cells.size(); ++i)
      write(i, cells[i].text, cell_style(cells[i], options));
    y += letters * kRowHeight;
  }
  rule();
  Lettering small = options.muted();
  small.size *= letters;
  for (const std::string& note : measured.table.notes) {
    for (const std::string& line : canvas.lines(note, area.width, small)) {
      y += letters * kNoteHeight;
      canvas.text({area.x, y}, line, small);
    }
  }
}

}  // namespace dispersion
