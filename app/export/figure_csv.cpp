#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "app/export/figure_data.h"
#include "app/export/provenance.h"
#include "core/figure/axis.h"
#include "core/figure/number_text.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr std::string_view kNames =
    "kind,part,name,frame,row,column,x,x_to,y,y_low,y_high,value,text\n";

constexpr const char* kNotShown = "not shown";

// The field of a number; empty if it is not finite.
template <class Number>
std::string number_field(Number value) {
  return std::isfinite(value) ? exact_text(value) : "";
}

// The field of a text, with plain spaces since programs read it.
std::string text_field(const std::string& text) {
  return csv_field(with_plain_spaces(text));
}

// One line of the file. Fields that do not apply stay empty.
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

std::string field_at(const std::vector<double>& values, std::size_t i) {
  return i < values.size() ? number_field(values[i]) : "";
}

void add_grid(std::string& csv, const HeatmapGrid& grid) {
  for (const HeatmapStrip& strip : grid.strips) {
    for (const Heatmap& map : strip.frames) {
      for (std::size_t i = 0; i < map.values.size(); ++i) {
        const auto columns = static_cast<std::size_t>(map.columns);
        add(csv, {.kind = "cell",
                  .part = text_field(grid.title),
                  .name = text_field(strip.title),
                  .frame = text_field(map.title),
                  .row = std::to_string(i / columns),
                  .column = std::to_string(i % columns),
                  .value = number_field(map.values[i])});
      }
    }
  }
}

std::size_t points_of(const Series& series) {
  return std::min(series.x.size(), series.y.size());
}

void add_point(std::string& csv, const std::string& part, const Series& series, std::size_t i,
               bool shown = true) {
  add(csv, {.kind = "point",
            .part = text_field(part),
            .name = text_field(series.name),
            .x = number_field(series.x[i]),
            .y = number_field(series.y[i]),
            .y_low = field_at(series.low, i),
            .y_high = field_at(series.high, i),
            .text = shown ? "" : kNotShown});
}

// Whether the plot shows the point: its series is not hidden, and the axes reach it.
template <class Plot>
bool is_shown(const Plot& plot, const Series& series, std::size_t i) {
  return !series.hidden && !beyond(plot.x, series.x[i]) && !beyond(plot.y, series.y[i]);
}

// Adds the points of a whole curve in the order of x. `unseen` holds those that the plot has no
// place for; each goes before the first shown point with a larger x.
template <class Plot>
void add_curve(std::string& csv, const Plot& plot, const Series& shown, const Series& unseen) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < points_of(shown); ++i) {
    for (; next < points_of(unseen) && unseen.x[next] < shown.x[i]; ++next)
      add_point(csv, plot.title, unseen, next, false);
    add_point(csv, plot.title, shown, i, is_shown(plot, shown, i));
  }
  for (; next < points_of(unseen); ++next)
    add_point(csv, plot.title, unseen, next, false);
}

// Adds all curves of a plot; those of which nothing is shown come last.
void add_curves(std::string& csv, const LinePlot& plot) {
  std::vector<Series> unseen = plot.unseen;
  for (const Series& series : plot.series) {
    const auto rest = std::ranges::find(unseen, series.name, &Series::name);
    add_curve(csv, plot, series, rest == unseen.end() ? Series() : *rest);
    if (rest != unseen.end()) unseen.erase(rest);
  }
  for (const Series& series : unseen)
    add_curve(csv, plot, {}, series);
}

void add_plot(std::string& csv, const LinePlot& plot) {
  add_curves(csv, plot);
  for (const Bars& bars : plot.bars) {
    for (std::size_t i = 0; i < bars.height.size() && i + 1 < bars.edge.size(); ++i) {
      add(csv,
          {.kind = "bar",
           .part = text_field(plot.title),
           .name = text_field(bars.name),
           .x = number_field(bars.edge[i]),
           .x_to = number_field(bars.edge[i + 1]),
           .y = number_field(bars.height[i]),
           .text = bars.edge[i] >= plot.x.high || bars.edge[i + 1] <= plot.x.low ? kNotShown : ""});
    }
  }
}

void add_samples(std::string& csv, const FieldPlot& plot) {
  for (std::size_t row = 0; row < plot.y_value.size(); ++row) {
    for (std::size_t column = 0; column < plot.x_value.size(); ++column) {
      const std::size_t i = row * plot.x_value.size() + column;
      if (i >= plot.values.size()) return;
      add(csv, {.kind = "sample",
                .part = text_field(plot.title),
                .name = text_field(plot.value_label),
                .row = std::to_string(row),
                .column = std::to_string(column),
                .x = number_field(plot.x_value[column]),
                .y = number_field(plot.y_value[row]),
                .value = number_field(plot.values[i]),
                .text = beyond(plot.x, plot.x_value[column]) || beyond(plot.y, plot.y_value[row])
                            ? kNotShown
                            : ""});
    }
  }
  for (const Series& series : plot.overlay)
    add_curve(csv, plot, series, {});
}

// Adds the cells of a table. The field x is the number of items of the column, or else of the row.
void add_table(std::string& csv, const Table& table) {
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto& cells = table.rows[row];
    for (std::size_t column = 1; column < cells.size(); ++column) {
      const std::string items = field_at(table.heading_values, column);
      const TableCell& cell = cells[column];
      add(csv, {.kind = "entry",
                .part = text_field(table.title),
                .name = text_field(cells.front().text),
                .frame = column < table.headings.size() ? text_field(table.headings[column]) : "",
                .row = std::to_string(row),
                .column = std::to_string(column),
                .x = items.empty() ? number_field(cells.front().value) : items,
                .y_low = number_field(cell.low),
                .y_high = number_field(cell.high),
                .value = number_field(cell.value),
                .text = text_field(cell.text)});
    }
  }
}

// The text without line breaks, which would end a comment.
std::string on_one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

// The first line without its end.
std::string_view first_line(std::string_view bytes) {
  std::string_view line = bytes.substr(0, bytes.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Whether a spreadsheet has saved the file: it gives all comments as many columns as the table has,
// and puts fields with quotes or commas into quotes. A comment of ours may end in a comma, but not
// all of them do.
bool is_from_spreadsheet(std::string_view bytes) {
  if (bytes.starts_with('"')) return true;
  while (is_figure_csv(bytes)) {
    if (!bytes.starts_with('"') && !first_line(bytes).ends_with(',')) return false;
    bytes.remove_prefix(std::min(bytes.find('\n'), bytes.size() - 1) + 1);
  }
  return true;
}

// A comment without what a spreadsheet has added to it.
std::string as_written(std::string_view line) {
  while (line.ends_with(','))
    line.remove_suffix(1);
  std::string plain;
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool field_begins = i == 0 || line[i - 1] == ',';
    if (line[i] != '"' || (!quoted && !field_begins)) {
      plain += line[i];
    } else if (quoted && line.substr(i + 1).starts_with('"')) {
      plain += line[i++];
    } else {
      quoted = !quoted;
    }
  }
  return plain;
}

// The comments at the start of such a file, as they were written, and an empty line unless the file
// ends within them.
std::string comments_as_written(std::string_view bytes) {
  std::string comments;
  for (;;) {
    const std::size_t length = bytes.find('\n');
    if (length == std::string_view::npos || comments.size() > kLargestProvenance) return comments;
    if (!is_figure_csv(bytes)) return comments += '\n';
    comments.append(as_written(first_line(bytes))) += '\n';
    bytes.remove_prefix(length + 1);
  }
}

}  // namespace

std::string figure_csv(const Figure& figure) {
  std::string csv;
  const auto comment = [&csv](const std::string& name, const std::string& value) {
    if (!value.empty())
      csv.append("# ").append(name).append(": ").append(visible_text(on_one_line(value))) += '\n';
  };
  comment("title", with_plain_spaces(figure.title));
  comment("sentence", with_plain_spaces(figure.sentence));
  for (const auto& [name, value] : figure.provenance)
    comment(name, value);
  csv += kNames;
  for (const HeatmapGrid& grid : figure.grids)
    add_grid(csv, grid);
  for (const LinePlot& plot : figure.plots)
    add_plot(csv, plot);
  for (const FieldPlot& plot : figure.fields)
    add_samples(csv, plot);
  for (const Table& table : figure.tables)
    add_table(csv, table);
  return csv;
}

bool is_figure_csv(std::string_view bytes) {
  return bytes.starts_with("# ") || bytes.starts_with("\"# ");
}

// The comments hold the title and the sentence of the figure too, which are no provenance.
std::optional<Provenance> csv_provenance(std::string_view bytes) {
  std::optional<Provenance> provenance =
      is_from_spreadsheet(bytes) ? provenance_in_comments(comments_as_written(bytes), "# ", "")
                                 : provenance_in_comments(bytes, "# ", "");
  if (provenance) {
    std::erase_if(*provenance, [](const auto& entry) {
      return entry.first == "title" || entry.first == "sentence";
    });
  }
  return provenance;
}

}  // namespace dispersion
