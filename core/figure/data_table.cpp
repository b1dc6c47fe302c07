#include "core/figure/data_table.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/figure/number_text.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kDigits = 6;
constexpr double kMostGrouped = 1e15;

// The x of a row, and the how-manieth point of a series with this x it holds.
using RowKey = std::pair<double, std::size_t>;

// The rows that the points of a series belong to.
std::vector<RowKey> row_keys(const Series& series) {
  std::vector<RowKey> keys;
  for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
    // Points without an x come last.
    const double x = std::isnan(series.x[i]) ? kInfinity : series.x[i];
    const bool repeated = i > 0 && x == keys.back().first;
    keys.emplace_back(x, repeated ? keys.back().second + 1 : 0);
  }
  if (std::ranges::is_sorted(keys)) return keys;
  // Points in no order: count those with the same x.
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return keys[i].first; });
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool repeated = k > 0 && keys[order[k]].first == keys[order[k - 1]].first;
    keys[order[k]].second = repeated ? keys[order[k - 1]].second + 1 : 0;
  }
  return keys;
}

std::string heading(const std::string& name, const std::string& axis) {
  if (name.empty()) return axis.empty() ? "value" : axis;
  return axis.empty() ? name : axis.starts_with(name) ? axis : name + ", " + axis;
}

DataColumn empty_column(std::string name, std::size_t rows) {
  return {.heading = std::move(name), .values = std::vector<double>(rows, kNone)};
}

// The column that receives these values at the rows of their points.
DataColumn column_of(std::string name, const std::vector<double>& values,
                     std::span<const std::size_t> rows, std::size_t count) {
  DataColumn column = empty_column(std::move(name), count);
  for (std::size_t i = 0; i < std::min(rows.size(), values.size()); ++i)
    column.values[rows[i]] = values[i];
  return column;
}

void add_series(DataTable& table, const Series& series, const std::string& axis,
                std::span<const std::size_t> rows) {
  table.columns.push_back(column_of(heading(series.name, axis), series.y, rows, table.rows));
  const std::string name = series.name.empty() ? "" : series.name + ", ";
  if (!series.low.empty())
    table.columns.push_back(column_of(name + "low", series.low, rows, table.rows));
  if (!series.high.empty())
    table.columns.push_back(column_of(name + "high", series.high, rows, table.rows));
}

// All series, with the points that the plot leaves out put back into theirs.
std::vector<Series> whole_series(const LinePlot& plot) {
  std::vector<Series> all = plot.series;
  for (const Series& unseen : plot.unseen) {
    const auto own = std::ranges::find(all, unseen.name, &Series::name);
    if (own == all.end()) {
      all.push_back(unseen);
      continue;
    }
    const std::size_t points = std::min(own->x.size(), own->y.size());
    own->x.resize(points);
    own->y.resize(points);
    own->x.insert(own->x.end(), unseen.x.begin(), unseen.x.end());
    own->y.insert(own->y.end(), unseen.y.begin(), unseen.y.end());
  }
  std::erase_if(all, [](const Series& series) { return series.hidden; });
  return all;
}

void add_bars(DataTable& table, const LinePlot& plot) {
  for (const Bars& bars : plot.bars) {
    const std::size_t first = table.rows;
    const std::size_t count =
        bars.edge.empty() ? 0 : std::min(bars.height.size(), bars.edge.size() - 1);
    table.rows += count;
    const std::size_t columns = table.columns.size();
    table.columns.push_back(empty_column(plot.x.label + ", from", first));
    table.columns.push_back(empty_column("to", first));
    table.columns.push_back(empty_column(bars.name.empty() ? "height" : bars.name, first));
    for (DataColumn& column : table.columns)
      column.values.resize(table.rows, kNone);
    for (std::size_t i = 0; i < count; ++i) {
      table.columns[columns].values[first + i] = bars.edge[i];
      table.columns[columns + 1].values[first + i] = bars.edge[i + 1];
      table.columns[columns + 2].values[first + i] = bars.height[i];
    }
  }
}

class Fingerprint {
 public:
  void add(std::uint64_t bits) { hash_ = (std::rotl(hash_, 23) ^ bits) * 0x9E3779B97F4A7C15U; }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  void add(const std::string& text) { add(text_hash(text)); }
  template <class Number>
  void add(const std::vector<Number>& values) {
    add(static_cast<std::uint64_t>(values.size()));
    for (const Number value : values)
      add(static_cast<double>(value));
  }
  void add(const Series& series) {
    add(series.name);
    add(std::uint64_t{series.hidden});
    for (const auto* values : {&series.x, &series.y, &series.low, &series.high})
      add(*values);
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xCBF29CE484222325U;
};

}  // namespace

double number_in(std::string_view title) {
  std::string digits;
  for (const char c : with_plain_spaces(title)) {
    if (c != ' ') digits += c;
  }
  double value = kNone;
  const char* const end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, value);
  return error == std::errc() && rest == end ? value : kNone;
}

DataTable data_table(const LinePlot& plot) {
  DataTable table;
  table.title = plot.title.text();
  const std::vector<Series> all = whole_series(plot);
  std::vector<std::vector<RowKey>> keys;
  std::vector<RowKey> rows;
  for (const Series& series : all) {
    keys.push_back(row_keys(series));
    rows.insert(rows.end(), keys.back().begin(), keys.back().end());
  }
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  table.rows = rows.size();
  if (!rows.empty()) {
    table.columns.push_back(empty_column(plot.x.label.empty() ? "x" : plot.x.label, table.rows));
    for (std::size_t i = 0; i < rows.size(); ++i)
      table.columns.front().values[i] = rows[i].first;
  }
  for (std::size_t s = 0; s < all.size(); ++s) {
    std::vector<std::size_t> at;
    for (const RowKey& key : keys[s])
      at.push_back(static_cast<std::size_t>(std::ranges::lower_bound(rows, key) - rows.begin()));
    add_series(table, all[s], plot.y.label, at);
  }
  add_bars(table, plot);
  return table;
}

DataTable data_table(const FieldPlot& plot) {
  DataTable table;
  table.title = plot.title.text();
  table.columns = {{.heading = plot.x.label},
                   {.heading = plot.y.label},
                   {.heading = plot.value_label, .single = true}};
  for (std::size_t row = 0; row < plot.y_value.size(); ++row) {
    for (std::size_t column = 0; column < plot.x_value.size(); ++column) {
      const std::size_t at = row * plot.x_value.size() + column;
      if (at >= plot.values.size()) continue;
      table.columns[0].values.push_back(plot.x_value[column]);
      table.columns[1].values.push_back(plot.y_value[row]);
      table.columns[2].values.push_back(static_cast<double>(plot.values[at]));
    }
  }
  table.rows = table.columns[0].values.size();
  return table;
}

DataTable data_table(const Table& table) {
  DataTable result;
  result.title = table.title.text();
  result.rows = table.rows.size();
  std::size_t columns = table.headings.size();
  for (const auto& row : table.rows)
    columns = std::max(columns, row.size());
  for (std::size_t c = 0; c < columns; ++c) {
    const std::string name = c < table.headings.size() ? table.headings[c] : "";
    DataColumn own = empty_column(name, result.rows);
    own.texts.resize(result.rows);
    DataColumn low = empty_column(name + ", low", result.rows);
    DataColumn high = empty_column(name + ", high", result.rows);
    bool intervals = false;
    for (std::size_t r = 0; r < result.rows; ++r) {
      if (c >= table.rows[r].size()) continue;
      const TableCell& cell = table.rows[r][c];
      own.values[r] = cell.value;
      own.texts[r] = cell.text;
      low.values[r] = cell.low;
      high.values[r] = cell.high;
      intervals = intervals || std::isfinite(cell.low) || std::isfinite(cell.high);
    }
    result.columns.push_back(std::move(own));
    if (!intervals) continue;
    result.columns.push_back(std::move(low));
    result.columns.push_back(std::move(high));
  }
  return result;
}

DataTable data_table(const HeatmapGrid& grid) {
  DataTable table;
  table.title = grid.title.text();
  table.columns = {{.heading = "attention transform"},
                   {.heading = grid.frame_label.empty() ? "frame" : grid.frame_label},
                   {.heading = "set"},
                   {.heading = "rank of the item"},
                   {.heading = "weight", .single = true}};
  for (const HeatmapStrip& strip : grid.strips) {
    for (const Heatmap& frame : strip.frames) {
      const double number = number_in(frame.title);
      for (std::size_t i = 0; i < frame.values.size() && frame.columns > 0; ++i) {
        const auto at = static_cast<int>(i);
        table.columns[0].values.push_back(kNone);
        table.columns[0].texts.push_back(strip.title);
        table.columns[1].values.push_back(number);
        table.columns[1].texts.push_back(frame.title);
        table.columns[2].values.push_back(at / frame.columns + 1);
        table.columns[3].values.push_back(frame.columns - at % frame.columns);
        table.columns[4].values.push_back(static_cast<double>(frame.values[i]));
      }
    }
  }
  table.rows = table.columns[2].values.size();
  return table;
}

std::uint64_t fingerprint(const LinePlot& plot) {
  Fingerprint all;
  for (const std::string* label : {&plot.title.text(), &plot.x.label, &plot.y.label})
    all.add(*label);
  for (const auto* part : {&plot.series, &plot.unseen}) {
    for (const Series& series : *part)
      all.add(series);
  }
  for (const Bars& bars : plot.bars) {
    all.add(bars.name);
    all.add(bars.edge);
    all.add(bars.height);
  }
  return all.value();
}

std::uint64_t fingerprint(const FieldPlot& plot) {
  Fingerprint all;
  for (const std::string* label :
       {&plot.title.text(), &plot.x.label, &plot.y.label, &plot.value_label})
    all.add(*label);
  all.add(plot.x_value);
  all.add(plot.y_value);
  all.add(plot.values);
  return all.value();
}

std::uint64_t fingerprint(const Table& table) {
  Fingerprint all;
  all.add(table.title.text());
  for (const std::string& name : table.headings)
    all.add(name);
  for (const auto& row : table.rows) {
    all.add(static_cast<std::uint64_t>(row.size()));
    for (const TableCell& cell : row) {
      all.add(cell.text);
      for (const double value : {cell.value, cell.low, cell.high})
        all.add(value);
    }
  }
  return all.value();
}

std::uint64_t fingerprint(const HeatmapGrid& grid) {
  Fingerprint all;
  all.add(grid.title.text());
  for (const HeatmapStrip& strip : grid.strips) {
    all.add(strip.title);
    for (const Heatmap& frame : strip.frames) {
      all.add(frame.title);
      all.add(frame.values);
    }
  }
  return all.value();
}

std::vector<std::size_t> sorted_rows(const DataTable& table, int column, bool descending) {
  std::vector<std::size_t> order(table.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (column < 0 || static_cast<std::size_t>(column) >= table.columns.size()) return order;
  const DataColumn& by = table.columns[static_cast<std::size_t>(column)];
  const auto text_at = [&](std::size_t row) -> const std::string& {
    static const std::string kNothing;
    return row < by.texts.size() ? by.texts[row] : kNothing;
  };
  // 0: a number, 1: a text, 2: nothing.
  const auto kind = [&](std::size_t row) {
    if (std::isfinite(by.values[row])) return 0;
    return text_at(row).empty() ? 2 : 1;
  };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const int kind_a = kind(a);
    const int kind_b = kind(b);
    if (kind_a != kind_b) return kind_a < kind_b;
    if (descending) std::swap(a, b);
    if (kind_a == 0) return by.values[a] < by.values[b];
    return kind_a == 1 && text_at(a) < text_at(b);
  });
  return order;
}

std::string shown_text(const DataColumn& column, std::size_t row) {
  const double value = column.values[row];
  if (!std::isfinite(value)) return row < column.texts.size() ? column.texts[row] : "";
  if (value == std::floor(value) && std::abs(value) < kMostGrouped)
    return grouped_text(static_cast<std::int64_t>(value));
  return significant_text(value, kDigits);
}

std::string exact_text(const DataColumn& column, std::size_t row) {
  const double value = column.values[row];
  if (!std::isfinite(value)) return row < column.texts.size() ? column.texts[row] : "";
  return column.single ? exact_text(static_cast<float>(value)) : exact_text(value);
}

std::string tab_separated(const DataTable& table, std::span<const std::size_t> rows) {
  std::string text;
  const auto add = [&](std::size_t column, std::string field) {
    std::ranges::replace_if(
        field, [](char c) { return c == '\t' || c == '\n'; }, ' ');
    text.append(column == 0 ? "" : "\t").append(with_plain_spaces(field));
  };
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    add(c, table.columns[c].heading);
  text += '\n';
  for (const std::size_t row : rows) {
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      add(c, exact_text(table.columns[c], row));
    text += '\n';
  }
  return text;
}

}  // namespace dispersion
