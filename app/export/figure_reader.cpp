#include "app/export/figure_reader.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/export/figure_names.h"
#include "app/export/item_names.h"
#include "core/io/error.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// A place in the file, for whoever reads the error.
class Node {
 public:
  Node(const fs::path& file, const Json& json, std::string place)
      : file_(file), json_(json), place_(std::move(place)) {}

  [[noreturn]] void refuse(const std::string& expected) const {
    throw FileError(file_, place_ + " should be " + expected);
  }

  Node at(const char* name) const {
    const std::string inner = place_.empty() ? name : place_ + "." + name;
    if (!json_.is_object()) refuse("an object");
    const auto found = json_.find(name);
    if (found == json_.end()) throw FileError(file_, inner + " is missing");
    return {file_, *found, inner};
  }

  // Nothing where it is missing, as in a file of a version that did not know it.
  std::optional<Node> find(const char* name) const {
    if (!json_.is_object() || !json_.contains(name)) return std::nullopt;
    return at(name);
  }

  std::string text() const {
    if (!json_.is_string()) refuse("a text");
    return json_.get<std::string>();
  }
  bool flag() const {
    if (!json_.is_boolean()) refuse("true or false");
    return json_.get<bool>();
  }
  int count() const {
    constexpr int kMost = 1 << 24;
    if (!json_.is_number_integer() || json_ < 0 || json_ > kMost)
      refuse("a whole number from 0 to " + std::to_string(kMost));
    return json_.get<int>();
  }
  double number() const {
    if (json_.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!json_.is_number()) refuse("a number or null");
    return json_.get<double>();
  }
  template <class Value>
  Value one_of() const {
    const std::string name = text();
    std::string names;
    for (const auto& [value, known] : kNames<Value>) {
      if (known == name) return value;
      names.append(names.empty() ? "" : ", ").append(known);
    }
    refuse("one of " + names);
  }

  // convert(Node) of every item.
  template <class Convert>
  auto list(Convert convert) const {
    if (!json_.is_array()) refuse("a list");
    std::vector<decltype(convert(*this))> items;
    for (std::size_t i = 0; i < json_.size(); ++i)
      items.push_back(convert(Node(file_, json_[i], place_ + "[" + std::to_string(i) + "]")));
    return items;
  }
  std::vector<double> numbers() const {
    return list([](const Node& item) { return item.number(); });
  }
  std::vector<float> floats() const {
    return list([](const Node& item) { return static_cast<float>(item.number()); });
  }
  std::vector<std::string> texts() const {
    return list([](const Node& item) { return item.text(); });
  }
  Provenance pairs() const {
    if (!json_.is_object()) refuse("an object");
    Provenance all;
    for (const auto& [name, value] : json_.items())
      all.emplace_back(name, Node(file_, value, place_ + "." + name).text());
    return all;
  }

 private:
  const fs::path& file_;
  const Json& json_;
  std::string place_;
};

void require_size(const Node& node, std::size_t size, std::size_t expected) {
  if (size != expected) node.refuse("a list of " + std::to_string(expected));
}

double number_or_none(const std::optional<Node>& node) {
  return node ? node->number() : std::numeric_limits<double>::quiet_NaN();
}

int count_or_none(const std::optional<Node>& node) {
  return node ? node->count() : 0;
}

Axis axis(const Node& node) {
  return {node.at("label").text(), node.at("logarithmic").flag(), node.at("low").number(),
          node.at("high").number(), node.at("ticks").list([](const Node& tick) {
            return Tick{tick.at("value").number(), tick.at("label").text()};
          })};
}

Series series(const Node& node) {
  Series series{node.at("name").text(),    node.at("role").one_of<ColourRole>(),
                node.at("x").numbers(),    node.at("y").numbers(),
                node.at("low").numbers(),  node.at("high").numbers(),
                node.at("markers").flag(), node.at("line").one_of<LineStyle>()};
  if (const auto mark = node.find("mark")) series.mark = mark->one_of<Mark>();
  const std::size_t points = series.x.size();
  require_size(node.at("y"), series.y.size(), points);
  require_size(node.at("high"), series.high.size(), series.low.size());
  if (!series.low.empty()) require_size(node.at("low"), series.low.size(), points);
  return series;
}

Bars bars(const Node& node) {
  Bars bars{node.at("name").text(), node.at("role").one_of<ColourRole>(), node.at("edge").numbers(),
            node.at("height").numbers()};
  if (!bars.height.empty() || !bars.edge.empty())
    require_size(node.at("edge"), bars.edge.size(), bars.height.size() + 1);
  return bars;
}

LinePlot plot(const Node& node) {
  const std::optional<Node> unseen = node.find("unseen");
  return {node.at("title").text(),
          node.at("subtitle").text(),
          axis(node.at("x")),
          axis(node.at("y")),
          node.at("series").list(series),
          node.at("lines").list([](const Node& line) {
            return ReferenceLine{line.at("value").number(), line.at("label").text(),
                                 line.at("vertical").flag()};
          }),
          node.at("ranges").list([](const Node& range) {
            return ShadedRange{range.at("low").number(), range.at("high").number(),
                               range.at("label").text()};
          }),
          node.at("bars").list(bars),
          unseen ? unseen->list(series) : std::vector<Series>()};
}

Heatmap heatmap(const Node& node) {
  Heatmap map{node.at("title").text(), node.at("caption").text(), node.at("rows").count(),
              node.at("columns").count(), node.at("values").floats()};
  require_size(node.at("values"), map.values.size(),
               static_cast<std::size_t>(map.rows) * static_cast<std::size_t>(map.columns));
  return map;
}

HeatmapGrid grid(const Node& node) {
  const std::optional<Node> frame_label = node.find("frame_label");
  return {node.at("title").text(),
          node.at("subtitle").text(),
          node.at("scale").one_of<ColourScale>(),
          node.at("low").number(),
          node.at("high").number(),
          node.at("value_label").text(),
          node.at("caption_label").text(),
          frame_label ? frame_label->text() : "",
          node.at("strips").list([](const Node& strip) {
            return HeatmapStrip{strip.at("title").text(), strip.at("subtitle").text(),
                                strip.at("role").one_of<ColourRole>(),
                                strip.at("frames").list(heatmap)};
          })};
}

FieldPlot field(const Node& node) {
  FieldPlot field{node.at("title").text(),
                  node.at("subtitle").text(),
                  axis(node.at("x")),
                  axis(node.at("y")),
                  node.at("x_value").numbers(),
                  node.at("y_value").numbers(),
                  node.at("values").floats(),
                  node.at("map").one_of<ColourMap>(),
                  node.at("scale").one_of<ColourScale>(),
                  node.at("low").number(),
                  node.at("high").number(),
                  node.at("value_label").text(),
                  node.at("overlay").list(series)};
  require_size(node.at("values"), field.values.size(), field.x_value.size() * field.y_value.size());
  return field;
}

TableCell cell(const Node& node) {
  return {node.at("text").text(),
          node.at("role").one_of<ColourRole>(),
          node.at("strong").flag(),
          node.at("muted").flag(),
          number_or_none(node.find("value")),
          number_or_none(node.find("low")),
          number_or_none(node.find("high"))};
}

Table table(const Node& node) {
  Table table{node.at("title").text(),
              node.at("subtitle").text(),
              node.at("headings").texts(),
              node.at("rows").list([](const Node& row) { return row.list(cell); }),
              node.at("notes").texts(),
              count_or_none(node.find("main_rows")),
              count_or_none(node.find("main_notes"))};
  if (const auto part = node.find("is_part")) table.is_part = part->flag();
  if (const auto values = node.find("heading_values")) {
    table.heading_values = values->numbers();
    if (!table.heading_values.empty())
      require_size(*values, table.heading_values.size(), table.headings.size());
  }
  for (std::vector<TableCell>& row : table.rows) {
    require_size(node.at("rows"), row.size(), table.headings.size());
    if (!row.empty()) row.front().text = typeset_name(row.front().text, row.front().value);
  }
  for (std::size_t i = 0; i < table.heading_values.size(); ++i)
    table.headings[i] = typeset_name(table.headings[i], table.heading_values[i]);
  return table;
}

}  // namespace

std::optional<Figure> read_figure_json(const fs::path& file, std::string_view bytes) {
  if (!bytes.starts_with("{\"name\":")) return std::nullopt;
  const Json json = Json::parse(bytes, nullptr, false);
  if (json.is_discarded()) throw FileError(file, "is cut off or no JSON");
  const Node node(file, json, "");
  return Figure{node.at("name").text(),        node.at("title").text(),
                node.at("grids").list(grid),   node.at("plots").list(plot),
                node.at("fields").list(field), node.at("tables").list(table),
                node.at("sentence").text(),    node.at("provenance").pairs()};
}

}  // namespace dispersion
