#include <cmath>
#include <string_view>
#include <vector>

#include "app/export/figure_data.h"
#include "core/io/csv_field.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr std::string_view kNames =
    "kind,part,name,frame,row,column,x,x_to,y,y_low,y_high,value,text\n";

// Nothing for what is no number.
template <class Number>
std::string digits(Number value) {
  return std::isfinite(value) ? exact_text(value) : "";
}

// Fields are texts as they stand in the file; those that do not apply stay empty.
struct Line {
  std::string_view kind;
  std::string part = {};
  std::string name = {};
  std::string frame = {};
  std::string row = {};
  std::string column = {};
  std::string x = {};
  std::string x_to = {};
  std::string y = {};
  std::string y_low = {};
  std::string y_high = {};
  std::string value = {};
  std::string text = {};
};

void add(std::string& csv, const Line& line) {
  csv += line.kind;
  for (const std::string* field :
       {&line.part, &line.name, &line.frame, &line.row, &line.column, &line.x, &line.x_to, &line.y,
        &line.y_low, &line.y_high, &line.value, &line.text}) {
    csv += ',';
    csv += *field;
  }
  csv += '\n';
}

std::string at(const std::vector<double>& values, std::size_t i) {
  return i < values.size() ? digits(values[i]) : "";
}

void add_grid(std::string& csv, const HeatmapGrid& grid) {
  for (const HeatmapStrip& strip : grid.strips) {
    for (const Heatmap& map : strip.frames) {
      for (std::size_t i = 0; i < map.values.size(); ++i) {
        const auto columns = static_cast<std::size_t>(map.columns);
        add(csv, {.kind = "cell",
                  .part = csv_field(grid.title),
                  .name = csv_field(strip.title),
                  .frame = csv_field(map.title),
                  .row = std::to_string(i / columns),
                  .column = std::to_string(i % columns),
                  .value = digits(map.values[i])});
      }
    }
  }
}

void add_series(std::string& csv, const std::string& part, const Series& series) {
  for (std::size_t i = 0; i < series.x.size() && i < series.y.size(); ++i) {
    add(csv, {.kind = "point",
              .part = csv_field(part),
              .name = csv_field(series.name),
              .x = digits(series.x[i]),
              .y = digits(series.y[i]),
              .y_low = at(series.low, i),
              .y_high = at(series.high, i)});
  }
}

void add_plot(std::string& csv, const LinePlot& plot) {
  for (const auto* all : {&plot.series, &plot.unseen}) {
    for (const Series& series : *all)
      add_series(csv, plot.title, series);
  }
  for (const Bars& bars : plot.bars) {
    for (std::size_t i = 0; i < bars.height.size() && i + 1 < bars.edge.size(); ++i) {
      add(csv, {.kind = "bar",
                .part = csv_field(plot.title),
                .name = csv_field(bars.name),
                .x = digits(bars.edge[i]),
                .x_to = digits(bars.edge[i + 1]),
                .y = digits(bars.height[i])});
    }
  }
}

void add_field(std::string& csv, const FieldPlot& plot) {
  for (std::size_t row = 0; row < plot.y_value.size(); ++row) {
    for (std::size_t column = 0; column < plot.x_value.size(); ++column) {
      const std::size_t i = row * plot.x_value.size() + column;
      if (i >= plot.values.size()) return;
      add(csv, {.kind = "sample",
                .part = csv_field(plot.title),
                .name = csv_field(plot.value_label),
                .row = std::to_string(row),
                .column = std::to_string(column),
                .x = digits(plot.x_value[column]),
                .y = digits(plot.y_value[row]),
                .value = digits(plot.values[i])});
    }
  }
  for (const Series& series : plot.overlay)
    add_series(csv, plot.title, series);
}

// `x` is the number of items that the column or else the row stands for.
void add_table(std::string& csv, const Table& table) {
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto& cells = table.rows[row];
    for (std::size_t column = 1; column < cells.size(); ++column) {
      const std::string items = at(table.heading_values, column);
      const TableCell& cell = cells[column];
      add(csv, {.kind = "entry",
                .part = csv_field(table.title),
                .name = csv_field(cells.front().text),
                .frame = column < table.headings.size() ? csv_field(table.headings[column]) : "",
                .row = std::to_string(row),
                .column = std::to_string(column),
                .x = items.empty() ? digits(cells.front().value) : items,
                .y_low = digits(cell.low),
                .y_high = digits(cell.high),
                .value = digits(cell.value),
                .text = csv_field(cell.text)});
    }
  }
}

// A comment ends with its line.
std::string on_one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

}  // namespace

std::string figure_csv(const Figure& figure) {
  std::string csv;
  const auto comment = [&csv](const std::string& name, const std::string& value) {
    if (!value.empty())
      csv.append("# ").append(name).append(": ").append(on_one_line(value)) += '\n';
  };
  comment("title", figure.title);
  comment("sentence", figure.sentence);
  for (const auto& [name, value] : figure.provenance)
    comment(name, value);
  csv += kNames;
  for (const HeatmapGrid& grid : figure.grids)
    add_grid(csv, grid);
  for (const LinePlot& plot : figure.plots)
    add_plot(csv, plot);
  for (const FieldPlot& field : figure.fields)
    add_field(csv, field);
  for (const Table& table : figure.tables)
    add_table(csv, table);
  return csv;
}

}  // namespace dispersion
