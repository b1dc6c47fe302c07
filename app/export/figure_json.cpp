#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/export/figure_data.h"
#include "app/export/figure_names.h"
#include "app/export/item_names.h"

namespace dispersion {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

// The double with the fewest digits that rounds to this float: 0.1 and not 0.10000000149.
Json number(float value) {
  if (!std::isfinite(value)) return Json();
  std::array<char, 32> buffer;
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  double shortest = 0;
  std::from_chars(buffer.data(), written.ptr, shortest);
  return shortest;
}

template <class Value>
Json numbers(const std::vector<Value>& values) {
  Json list = Json::array();
  for (const Value value : values)
    list.push_back(number(value));
  return list;
}

template <class Item, class Convert>
Json list_of(const std::vector<Item>& items, Convert convert) {
  Json list = Json::array();
  for (const Item& item : items)
    list.push_back(convert(item));
  return list;
}

Json axis_json(const Axis& axis) {
  return {{"label", axis.label},
          {"logarithmic", axis.logarithmic},
          {"low", number(axis.low)},
          {"high", number(axis.high)},
          {"ticks", list_of(axis.ticks, [](const Tick& tick) {
             return Json{{"value", number(tick.value)}, {"label", tick.label}};
           })}};
}

Json series_json(const Series& series) {
  return {
      {"name", series.name},       {"role", name_of(series.role)}, {"x", numbers(series.x)},
      {"y", numbers(series.y)},    {"low", numbers(series.low)},   {"high", numbers(series.high)},
      {"markers", series.markers}, {"line", name_of(series.line)}, {"mark", name_of(series.mark)}};
}

Json plot_json(const LinePlot& plot) {
  return {{"title", plot.title},
          {"subtitle", plot.subtitle},
          {"x", axis_json(plot.x)},
          {"y", axis_json(plot.y)},
          {"series", list_of(plot.series, series_json)},
          {"lines", list_of(plot.lines,
                            [](const ReferenceLine& line) {
                              return Json{{"value", number(line.value)},
                                          {"label", line.label},
                                          {"vertical", line.vertical}};
                            })},
          {"ranges", list_of(plot.ranges,
                             [](const ShadedRange& range) {
                               return Json{{"low", number(range.low)},
                                           {"high", number(range.high)},
                                           {"label", range.label}};
                             })},
          {"bars", list_of(plot.bars,
                           [](const Bars& bars) {
                             return Json{{"name", bars.name},
                                         {"role", name_of(bars.role)},
                                         {"edge", numbers(bars.edge)},
                                         {"height", numbers(bars.height)}};
                           })},
          {"unseen", list_of(plot.unseen, series_json)}};
}

Json heatmap_json(const Heatmap& map) {
  return {{"title", map.title},
          {"caption", map.caption},
          {"rows", map.rows},
          {"columns", map.columns},
          {"values", numbers(map.values)}};
}

Json strip_json(const HeatmapStrip& strip) {
  return {{"title", strip.title},
          {"subtitle", strip.subtitle},
          {"role", name_of(strip.role)},
          {"frames", list_of(strip.frames, heatmap_json)}};
}

Json grid_json(const HeatmapGrid& grid) {
  return {{"title", grid.title},
          {"subtitle", grid.subtitle},
          {"scale", name_of(grid.scale)},
          {"low", number(grid.low)},
          {"high", number(grid.high)},
          {"value_label", grid.value_label},
          {"caption_label", grid.caption_label},
          {"frame_label", grid.frame_label},
          {"strips", list_of(grid.strips, strip_json)}};
}

Json field_json(const FieldPlot& plot) {
  return {{"title", plot.title},
          {"subtitle", plot.subtitle},
          {"x", axis_json(plot.x)},
          {"y", axis_json(plot.y)},
          {"x_value", numbers(plot.x_value)},
          {"y_value", numbers(plot.y_value)},
          {"values", numbers(plot.values)},
          {"map", name_of(plot.map)},
          {"scale", name_of(plot.scale)},
          {"low", number(plot.low)},
          {"high", number(plot.high)},
          {"value_label", plot.value_label},
          {"overlay", list_of(plot.overlay, series_json)}};
}

Json cell_json(const TableCell& cell) {
  return {{"text", cell.text},        {"role", name_of(cell.role)},  {"strong", cell.strong},
          {"muted", cell.muted},      {"value", number(cell.value)}, {"low", number(cell.low)},
          {"high", number(cell.high)}};
}

// Rows with their names, and columns, as programs read them.
Json row_json(const std::vector<TableCell>& row) {
  Json list = list_of(row, cell_json);
  if (!row.empty()) list[0]["text"] = plain_name(row.front().text, row.front().value);
  return list;
}

Json headings_json(const Table& table) {
  Json list = table.headings;
  for (std::size_t i = 0; i < table.headings.size() && i < table.heading_values.size(); ++i)
    list[i] = plain_name(table.headings[i], table.heading_values[i]);
  return list;
}

Json table_json(const Table& table) {
  return {{"title", table.title},
          {"subtitle", table.subtitle},
          {"headings", headings_json(table)},
          {"rows", list_of(table.rows, row_json)},
          {"notes", table.notes},
          {"main_rows", table.main_rows},
          {"main_notes", table.main_notes},
          {"heading_values", numbers(table.heading_values)},
          {"is_part", table.is_part}};
}

}  // namespace

std::string figure_json(const Figure& figure) {
  Json provenance = Json::object();
  for (const auto& [name, value] : figure.provenance)
    provenance[name] = value;
  const Json object = {{"name", figure.name},
                       {"title", figure.title},
                       {"sentence", figure.sentence},
                       {"provenance", provenance},
                       {"grids", list_of(figure.grids, grid_json)},
                       {"plots", list_of(figure.plots, plot_json)},
                       {"fields", list_of(figure.fields, field_json)},
                       {"tables", list_of(figure.tables, table_json)}};
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dispersion
