#include "core/figure/compared_parts.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/figure/axis.h"
#include "core/figure/difference.h"
#include "core/figure/number_text.h"
#include "core/figure/signed_values.h"

namespace dispersion {
namespace {

// Two numbers that are unknown are the same.
template <class Number>
bool same_number(Number a, Number b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

template <class Number>
bool same_numbers(const std::vector<Number>& a, const std::vector<Number>& b) {
  return std::ranges::equal(a, b, same_number<Number>);
}

bool same_bars(const Bars& a, const Bars& b) {
  return a.name == b.name && same_numbers(a.edge, b.edge) && same_numbers(a.height, b.height);
}

bool same_line(const ReferenceLine& a, const ReferenceLine& b) {
  return same_number(a.value, b.value) && a.label == b.label && a.vertical == b.vertical;
}

bool same_cell(const TableCell& a, const TableCell& b) {
  return a.text == b.text && same_number(a.value, b.value);
}

bool same_kind(const Axis& a, const Axis& b) {
  return a.label == b.label && a.logarithmic == b.logarithmic;
}

// The outline of a histogram as a curve.
Series outline(const Bars& bars) {
  Series series = line_series(std::string(kOfA) + bars.name, bars.role);
  series.line = LineStyle::kDashed;
  for (std::size_t i = 0; i + 1 < bars.edge.size() && i < bars.height.size(); ++i) {
    for (const double x : {bars.edge[i], bars.edge[i + 1]}) {
      series.x.push_back(x);
      series.y.push_back(bars.height[i]);
    }
  }
  return series;
}

bool same_grid(const FieldPlot& a, const FieldPlot& b) {
  return same_kind(a.x, b.x) && same_kind(a.y, b.y) && same_numbers(a.x_value, b.x_value) &&
         same_numbers(a.y_value, b.y_value) && a.values.size() == b.values.size();
}

FieldPlot difference_field(const FieldPlot& a, const FieldPlot& b) {
  FieldPlot field = b;
  field.title = "B − A: " + b.title;
  field.scale = ColourScale::kLinear;
  field.value_label = "B − A, " + b.value_label;
  double largest = 0;
  for (std::size_t i = 0; i < field.values.size(); ++i) {
    field.values[i] = b.values[i] - a.values[i];
    const double size = std::abs(static_cast<double>(field.values[i]));
    if (std::isfinite(size)) largest = std::max(largest, size);
  }
  field.high = symmetric_limit(largest);
  field.low = -field.high;
  field.overlay.clear();
  return field;
}

// Both fields with the range that covers both, so that equal colours mean equal values.
void share_colours(FieldPlot& a, FieldPlot& b) {
  if (a.scale != b.scale) return;
  a.low = b.low = std::min(a.low, b.low);
  a.high = b.high = std::max(a.high, b.high);
}

// How many decimals the number in a text has.
int decimals_in(std::string_view text) {
  const auto point = text.find('.');
  if (point == std::string_view::npos) return 0;
  const auto end = text.find_first_not_of("0123456789", point + 1);
  return static_cast<int>((end == std::string_view::npos ? text.size() : end) - point - 1);
}

// With the decimals of the numbers, unless those would show nothing or far too much.
std::string difference_text(double value, std::string_view like) {
  constexpr double kLarge = 1e6;
  const int decimals = decimals_in(like);
  const bool plain = std::abs(value) < kLarge &&
                     (value == 0 || std::abs(value) >= 0.5 * std::pow(10, -decimals)) &&
                     like.find("10") == std::string_view::npos;
  if (value == 0) return "0";
  if (plain) return signed_text(value, decimals);
  return (value > 0 ? "+" : "−") + magnitude_text(std::abs(value));
}

// Whether the numbers are so far apart that the digits of their difference are those of the larger
// one: of numbers written with powers of ten.
bool are_far_apart(const TableCell& a, const TableCell& b) {
  const double smaller = std::min(std::abs(a.value), std::abs(b.value));
  const double larger = std::max(std::abs(a.value), std::abs(b.value));
  const bool powers =
      a.text.find("·10") != std::string::npos || b.text.find("·10") != std::string::npos;
  return powers && smaller > 0 && magnitude_text(larger - smaller) == magnitude_text(larger);
}

TableCell difference_cell(const TableCell& a, const TableCell& b) {
  if (std::isnan(a.value) || std::isnan(b.value) || are_far_apart(a, b)) return missing_cell();
  TableCell cell;
  cell.role = b.role;
  cell.value = b.value - a.value;
  cell.text = difference_text(cell.value, b.text);
  return cell;
}

bool same_shape(const Table& a, const Table& b) {
  const auto columns = [](const auto& row) { return row.size(); };
  return a.headings == b.headings && std::ranges::equal(a.rows, b.rows, {}, columns, columns) &&
         std::ranges::all_of(b.rows,
                             [&](const auto& row) { return row.size() == b.headings.size(); });
}

// Adds a column of B, beside that of A and the difference where the two are not the same.
void add_column(const Table& a, const Table& b, std::size_t c, bool difference, Table& table) {
  bool same = true;
  bool numbers = false;
  for (std::size_t r = 0; r < b.rows.size(); ++r) {
    same = same && same_cell(a.rows[r][c], b.rows[r][c]);
    numbers = numbers || std::isfinite(difference_cell(a.rows[r][c], b.rows[r][c]).value);
  }
  const std::string& name = b.headings[c];
  std::vector<std::string> headings = {name};
  if (!same) headings = {name + ", A", name + ", B"};
  if (!same && difference && numbers) headings.push_back("B − A");
  for (const std::string& heading : headings) {
    table.headings.push_back(heading);
    if (!b.heading_values.empty()) table.heading_values.push_back(b.heading_values[c]);
  }
  for (std::size_t r = 0; r < b.rows.size(); ++r) {
    if (!same) table.rows[r].push_back(a.rows[r][c]);
    table.rows[r].push_back(b.rows[r][c]);
    if (headings.size() == 3) table.rows[r].push_back(difference_cell(a.rows[r][c], b.rows[r][c]));
  }
}

}  // namespace

Axis covering(const Axis& a, const Axis& b) {
  if (b.low <= a.low && b.high >= a.high) return b;
  if (a.low <= b.low && a.high >= b.high) return a;
  Axis axis = b;
  axis.low = std::min(a.low, b.low);
  axis.high = std::max(a.high, b.high);
  for (const Tick& tick : a.ticks) {
    if (std::ranges::find(axis.ticks, tick.value, &Tick::value) == axis.ticks.end())
      axis.ticks.push_back(tick);
  }
  std::ranges::sort(axis.ticks, {}, &Tick::value);
  return axis;
}

Series dashed(Series series) {
  if (!series.name.empty()) series.name = std::string(kOfA) + series.name;
  if (series.line == LineStyle::kSolid) series.line = LineStyle::kDashed;
  if (series.mark == Mark::kDisc) series.mark = Mark::kRing;
  // The intervals of both would lie on one another.
  series.low.clear();
  series.high.clear();
  return series;
}

bool same_series(const Series& a, const Series& b) {
  return a.name == b.name && same_numbers(a.x, b.x) && same_numbers(a.y, b.y) &&
         same_numbers(a.low, b.low) && same_numbers(a.high, b.high);
}

bool same_plot(const LinePlot& a, const LinePlot& b) {
  return std::ranges::equal(a.series, b.series, same_series) &&
         std::ranges::equal(a.bars, b.bars, same_bars) &&
         std::ranges::equal(a.lines, b.lines, same_line);
}

bool same_field(const FieldPlot& a, const FieldPlot& b) {
  return same_grid(a, b) && same_numbers(a.values, b.values) &&
         std::ranges::equal(a.overlay, b.overlay, same_series);
}

// What the end of both says, of that which is set off by "; ": the name of a head is of one of
// them.
Statement shared_end(const Statement& a, const Statement& b) {
  if (a == b) return b;
  if (!a.claims().empty() || !b.claims().empty()) return {};
  const std::string& text = b.text();
  for (std::size_t at = 0; (at = text.find("; ", at)) != std::string::npos;) {
    if (a.text().ends_with(std::string_view(text).substr(at)))
      return Statement::naming(text.substr(at + 2));
    at += 2;
  }
  return {};
}

bool same_table(const Table& a, const Table& b) {
  return a.headings == b.headings &&
         std::ranges::equal(a.rows, b.rows, [](const auto& of_a, const auto& of_b) {
           return std::ranges::equal(of_a, of_b, same_cell);
         });
}

LinePlot compared_plot(const LinePlot& a, const LinePlot& b) {
  if (same_plot(a, b) || !same_kind(a.x, b.x) || !same_kind(a.y, b.y)) return b;
  LinePlot plot = b;
  plot.x = covering(a.x, b.x);
  plot.y = covering(a.y, b.y);
  for (const Series& series : a.series) {
    const auto same = [&](const Series& other) { return same_series(series, other); };
    if (std::ranges::none_of(b.series, same)) plot.series.push_back(dashed(series));
  }
  for (const Bars& bars : a.bars) {
    const auto same = [&](const Bars& other) { return same_bars(bars, other); };
    if (std::ranges::none_of(b.bars, same)) plot.series.push_back(outline(bars));
  }
  for (const ReferenceLine& line : a.lines) {
    const auto same = [&](const ReferenceLine& other) { return same_line(line, other); };
    if (std::ranges::any_of(b.lines, same)) continue;
    plot.lines.push_back(line);
    plot.lines.back().label = line.label.empty() ? "A" : std::string(kOfA) + line.label;
  }
  plot.subtitle += "; A dashed";
  return plot;
}

std::vector<FieldPlot> compared_fields(const FieldPlot& a, const FieldPlot& b, bool difference) {
  if (same_field(a, b)) return {b};
  std::vector<FieldPlot> fields;
  fields.push_back(titled("A", a));
  fields.push_back(titled("B", b));
  share_colours(fields[0], fields[1]);
  if (difference && same_grid(a, b)) fields.push_back(difference_field(a, b));
  if (difference && !same_grid(a, b)) fields[1].subtitle += "; no difference: other axes than A";
  return fields;
}

std::vector<Table> compared_tables(const Table& a, const Table& b, bool difference) {
  if (same_table(a, b)) return {b};
  std::vector<Table> tables;
  if (!same_shape(a, b)) {
    tables.push_back(titled("A", a));
    tables.push_back(titled("B", b));
    return tables;
  }
  Table table = b;
  table.subtitle = shared_end(a.subtitle, b.subtitle);
  table.headings.clear();
  table.heading_values.clear();
  for (std::vector<TableCell>& row : table.rows)
    row.clear();
  for (std::size_t c = 0; c < b.headings.size(); ++c)
    add_column(a, b, c, difference, table);
  tables.push_back(std::move(table));
  return tables;
}

}  // namespace dispersion
