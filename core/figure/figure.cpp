#include "core/figure/figure.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/figure/number_text.h"

namespace dispersion {
namespace {

// A logarithmic colour scale cannot start at 0; instead it starts at this share of its upper end.
constexpr double kSmallestLogarithmic = 1e-6;

double logarithmic_position(double value, double low, double high) {
  if (!(low > 0)) low = high * kSmallestLogarithmic;
  if (!(value > low)) return 0;
  return std::log(value / low) / std::log(high / low);
}

// Empty where the number is not finite.
std::string digits(double value) {
  return std::isfinite(value) ? computed_number(value) : "";
}

void add_heading(std::string& text, const std::string& title, const std::string& subtitle) {
  text.append("\n").append(title);
  if (!subtitle.empty()) text.append("\t").append(subtitle);
  text += '\n';
}

void add_series(std::string& text, const Axis& x, const Axis& y, const Series& series) {
  const bool intervals = series.low.size() == series.x.size() && !series.x.empty();
  text.append(x.label).append("\t").append(series.name);
  if (!y.label.empty()) text.append(", ").append(y.label);
  text += intervals ? "\tlow\thigh\n" : "\n";
  for (std::size_t i = 0; i < series.x.size() && i < series.y.size(); ++i) {
    text.append(digits(series.x[i])).append("\t").append(digits(series.y[i]));
    if (intervals) {
      text.append("\t").append(digits(series.low[i]));
      text.append("\t").append(digits(series.high[i]));
    }
    text += '\n';
  }
}

void add_bars(std::string& text, const Axis& x, const Bars& bars) {
  text += x.label + ", from\tto\t" + bars.name + "\n";
  for (std::size_t i = 0; i < bars.height.size() && i + 1 < bars.edge.size(); ++i) {
    text += digits(bars.edge[i]) + "\t" + digits(bars.edge[i + 1]) + "\t" + digits(bars.height[i]) +
            "\n";
  }
}

void add_plot(std::string& text, const LinePlot& plot) {
  add_heading(text, plot.title, plot.subtitle);
  for (const Bars& bars : plot.bars)
    add_bars(text, plot.x, bars);
  for (const auto* all : {&plot.series, &plot.unseen}) {
    for (const Series& series : *all)
      add_series(text, plot.x, plot.y, series);
  }
}

void add_field(std::string& text, const FieldPlot& plot) {
  add_heading(text, plot.title, plot.subtitle);
  text += plot.y.label + " down, " + plot.x.label + " across: " + plot.value_label;
  for (const double x : plot.x_value)
    text.append("\t").append(digits(x));
  text += "\n";
  for (std::size_t row = 0; row < plot.y_value.size(); ++row) {
    text += digits(plot.y_value[row]);
    for (std::size_t column = 0; column < plot.x_value.size(); ++column) {
      const std::size_t at = row * plot.x_value.size() + column;
      text.append("\t").append(at < plot.values.size() ? digits(plot.values[at]) : "");
    }
    text += "\n";
  }
  for (const Series& series : plot.overlay)
    add_series(text, plot.x, plot.y, series);
}

void add_table(std::string& text, const Table& table) {
  add_heading(text, table.title, table.subtitle);
  for (std::size_t i = 0; i < table.headings.size(); ++i)
    text.append(i == 0 ? "" : "\t").append(table.headings[i]);
  text += '\n';
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      text.append(i == 0 ? "" : "\t").append(row[i].text);
    text += '\n';
  }
  for (const std::string& note : table.notes)
    text += note + "\n";
}

}  // namespace

Series line_series(std::string name, ColourRole role) {
  Series series;
  series.name = std::move(name);
  series.role = role;
  series.markers = false;
  return series;
}

TableCell missing_cell(const std::string& reason) {
  return {.text = reason.empty() ? "–" : reason, .muted = true};
}

Table main_part(const Table& table) {
  Table part = table;
  if (table.main_rows <= 0) return part;
  part.is_part = table.rows.size() > static_cast<std::size_t>(table.main_rows);
  part.rows.resize(std::min(table.rows.size(), static_cast<std::size_t>(table.main_rows)));
  part.notes.resize(
      std::min(table.notes.size(), static_cast<std::size_t>(std::max(table.main_notes, 0))));
  part.main_rows = 0;
  part.main_notes = 0;
  return part;
}

double colour_position(ColourScale scale, double value, double low, double high) {
  if (std::isnan(value) || std::isnan(low) || std::isnan(high)) return -1;
  if (value <= low) return 0;
  if (value >= high) return 1;
  double position = (value - low) / (high - low);
  if (scale == ColourScale::kSquareRoot) position = std::sqrt(position);
  if (scale == ColourScale::kLogarithmic) position = logarithmic_position(value, low, high);
  return std::clamp(position, 0.0, 1.0);
}

std::string figure_text(const Figure& figure) {
  std::string text = figure.title + "\n";
  if (!figure.sentence.empty()) text += figure.sentence + "\n";
  for (const auto& [name, value] : figure.provenance)
    text += name + "\t" + value + "\n";
  for (const Table& table : figure.tables)
    add_table(text, table);
  for (const LinePlot& plot : figure.plots)
    add_plot(text, plot);
  for (const FieldPlot& field : figure.fields)
    add_field(text, field);
  return text;
}

}  // namespace dispersion
