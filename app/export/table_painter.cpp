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
constexpr double kMostColumnGap = 48;  // wider, and the rows fall apart
constexpr double kNoteHeight = 18;
constexpr double kPartGap = 6;          // between the main rows and the others
constexpr double kLeastLetters = 0.81;  // of small text: 6.5 points where that has 8

// A table with its columns measured.
struct Measured {
  Table table;
  std::vector<double> widths;  // of every column's widest cell in letters of full size

  double gaps() const { return static_cast<double>(std::max<std::size_t>(widths.size(), 1) - 1); }
  double width(double gap) const {
    double total = gap * gaps();
    for (const double width : widths)
      total += width;
    return total;
  }
  // The size of the letters with which it fits, if it can.
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

Measured measured(const Canvas& canvas, const Table& whole, const DrawOptions& options) {
  Measured own = {options.all_rows ? whole : main_part(whole), {}};
  std::vector<double>& widths = own.widths;
  for (const std::string& heading : own.table.headings)
    widths.push_back(canvas.text_width(heading, options.muted()));
  for (const auto& row : own.table.rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], canvas.text_width(row[i].text, cell_style(row[i], options)));
  }
  return own;
}

// Where the columns end; the first begins at the left and its text is written from there.
std::vector<double> column_ends(const Measured& own, Rect area) {
  const double letters = own.letters(area.width);
  const double gaps = std::max(own.gaps(), 1.0);
  const double gap = std::clamp((area.width - letters * own.width(0)) / gaps,
                                letters * kLeastColumnGap, kMostColumnGap);
  std::vector<double> ends;
  double x = area.x - gap;
  for (const double width : own.widths) {
    x += letters * width + gap;
    ends.push_back(x);
  }
  return ends;
}

}  // namespace

double least_table_width(const Canvas& canvas, const Table& table, const DrawOptions& options) {
  return kLeastLetters * measured(canvas, table, options).width(kLeastColumnGap);
}

TableSize table_size(const Canvas& canvas, const Table& table, double width,
                     const DrawOptions& options) {
  const Measured own = measured(canvas, table, options);
  const double words = std::max(canvas.text_width(table.title, options.heading()),
                                canvas.text_width(table.subtitle, options.muted()));
  // Columns stand as far apart as is pleasant, or closer where the table can then stand beside
  // plots.
  const double beside = kTablesBeside * width;
  const double natural =
      std::max({std::min(own.width(kColumnGap), beside), own.width(kCloseColumnGap), words});
  const double given = natural <= beside ? natural : width;
  const double letters = own.letters(given);
  Lettering small = options.muted();
  small.size *= letters;
  double height = heading_height(canvas, table.title, table.subtitle, given, options) +
                  letters * kRowHeight * (static_cast<double>(own.table.rows.size()) + 1) +
                  (own.two_parts() ? kPartGap : 0);
  for (const std::string& note : own.table.notes) {
    const std::vector<std::string> lines = canvas.lines(note, given, small);
    height += letters * kNoteHeight * static_cast<double>(lines.size());
  }
  return {natural, height + kPartGap};
}

void paint_table(Canvas& canvas, const Table& table, Rect area, const DrawOptions& options) {
  double y = area.y + paint_heading(canvas, table.title, table.subtitle, area, options);
  const Measured own = measured(canvas, table, options);
  const double letters = own.letters(area.width);
  const std::vector<double> ends = column_ends(own, area);
  const double right = ends.empty() ? area.right() : ends.back();
  const auto write = [&](std::size_t column, const std::string& text, Lettering style) {
    style.align = column == 0 ? Align::kLeft : Align::kRight;
    style.size *= letters;
    canvas.text({column == 0 ? area.x : ends[column], y + letters * 16}, text, style);
  };
  const auto rule = [&] { canvas.hairline({area.x, y}, {right, y}, options.palette.line); };
  for (std::size_t i = 0; i < own.table.headings.size(); ++i)
    write(i, own.table.headings[i], options.muted());
  y += letters * kRowHeight;
  rule();
  for (std::size_t row = 0; row < own.table.rows.size(); ++row) {
    if (own.two_parts() && row == static_cast<std::size_t>(table.main_rows)) {
      y += kPartGap / 2;
      rule();
      y += kPartGap / 2;
    }
    const std::vector<TableCell>& cells = own.table.rows[row];
    for (std::size_t i = 0; i < cells.size(); ++i)
      write(i, cells[i].text, cell_style(cells[i], options));
    y += letters * kRowHeight;
  }
  rule();
  Lettering small = options.muted();
  small.size *= letters;
  for (const std::string& note : own.table.notes) {
    for (const std::string& line : canvas.lines(note, area.width, small)) {
      y += letters * kNoteHeight;
      canvas.text({area.x, y}, line, small);
    }
  }
}

}  // namespace dispersion
