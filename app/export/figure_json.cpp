#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/export/figure_data.h"
#include "app/export/figure_fields.h"
#include "app/export/provenance.h"
#include "core/figure/number_text.h"
#include "core/io/json.h"

namespace dispersion {
namespace {

using Json = nlohmann::ordered_json;

// A figure may hold very many values in lists, but its objects have few keys. The largest field has
// 2,049 x 2,049 values.
constexpr JsonLimits kFigureLimits = {
    .bytes = kLargestFigureJson, .depth = 16, .keys = 256, .values = std::size_t{1} << 23};

// A row or column of a table can be named by a number of items. Such a name has a thin space in a
// picture, "16 384", and a plain one in the file, where programs read it.

// The name of a number of items; empty if the value cannot be one.
std::string items_text(double value) {
  constexpr double kMostItems = 1e15;
  if (!(value >= 0 && value < kMostItems && std::floor(value) == value)) return "";
  return grouped_text(static_cast<std::int64_t>(value));
}

// Calls change(name, value) for every name of a row or column that may be a number of items.
void for_item_names(Table& table, auto change) {
  for (std::vector<TableCell>& row : table.rows) {
    if (!row.empty()) change(row.front().text, row.front().value);
  }
  const std::size_t columns = std::min(table.headings.size(), table.heading_values.size());
  for (std::size_t i = 0; i < columns; ++i)
    change(table.headings[i], table.heading_values[i]);
}

Table with_plain_names(Table table) {
  for_item_names(table, [](std::string& name, double value) {
    if (name == items_text(value)) name = with_plain_spaces(name);
  });
  return table;
}

void typeset_names(Table& table) {
  for_item_names(table, [](std::string& name, double value) {
    const std::string typeset = items_text(value);
    if (name == with_plain_spaces(typeset)) name = typeset;
  });
}

// The archive that writes: it builds a JSON object from the fields.
class Writer {
 public:
  template <class Field>
  void operator()(const char* name, const Field& field) {
    object_[name] = value_of(field);
  }
  template <class Field>
  void added(const char* name, const Field& field) {
    (*this)(name, field);
  }
  void flag(const char* name, bool field) {
    if (field) (*this)(name, field);
  }

  template <class Struct>
  static Json object_of(const Struct& fields) {
    Writer writer;
    visit(fields, writer);
    return std::move(writer.object_);
  }

 private:
  static Json value_of(const std::string& text) { return text; }
  static Json value_of(const Statement& statement) { return statement.text(); }
  static Json value_of(bool flag) { return flag; }
  static Json value_of(int count) { return count; }
  static Json value_of(double value) { return std::isfinite(value) ? Json(value) : Json(); }
  static Json value_of(float value) {
    if (!std::isfinite(value)) return Json();
    // Writes the double with the fewest digits that rounds to this float, so that 0.1 does not
    // become 0.10000000149.
    std::array<char, 32> buffer;
    const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    double shortest = 0;
    std::from_chars(buffer.data(), written.ptr, shortest);
    return shortest;
  }
  static Json value_of(const Provenance& pairs) {
    Json object = Json::object();
    for (const auto& [name, value] : pairs)
      object[name] = value;
    return object;
  }
  static Json value_of(const Table& table) { return object_of(with_plain_names(table)); }

  template <class Value>
  static Json value_of(const Value& value) {
    if constexpr (std::is_enum_v<Value>) {
      return std::ranges::find(kNames<Value>, value, &std::pair<Value, std::string_view>::first)
          ->second;
    } else {
      return object_of(value);
    }
  }
  template <class Item>
  static Json value_of(const std::vector<Item>& items) {
    Json list = Json::array();
    for (const Item& item : items)
      list.push_back(value_of(item));
    return list;
  }

  Json object_ = Json::object();
};

void require_size(const JsonValue& list, std::size_t expected) {
  if (list.size() != expected) list.refuse("a list of " + std::to_string(expected));
}

// Each check() refuses a struct whose fields do not fit together after reading.
void check(const auto&, const JsonValue&) {}

void check(const Series& series, const JsonValue& value) {
  require_size(value.at("y"), series.x.size());
  require_size(value.at("high"), series.low.size());
  if (!series.low.empty()) require_size(value.at("low"), series.x.size());
}

void check(const Bars& bars, const JsonValue& value) {
  if (!bars.height.empty() || !bars.edge.empty())
    require_size(value.at("edge"), bars.height.size() + 1);
}

void check(const Heatmap& map, const JsonValue& value) {
  require_size(value.at("values"),
               static_cast<std::size_t>(map.rows) * static_cast<std::size_t>(map.columns));
}

void check(const FieldPlot& plot, const JsonValue& value) {
  require_size(value.at("values"), plot.x_value.size() * plot.y_value.size());
}

void check(Table& table, const JsonValue& value) {
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    require_size(value.at("rows").at(i), table.headings.size());
  if (!table.heading_values.empty())
    require_size(value.at("heading_values"), table.headings.size());
  typeset_names(table);
}

// The archive that reads: it fills the fields from a JSON object.
class Reader {
 public:
  explicit Reader(const JsonValue& object) : object_(object) {}

  template <class Field>
  void operator()(const char* name, Field& field) {
    read(object_.at(name), field);
  }
  template <class Field>
  void added(const char* name, Field& field) {
    if (const auto value = object_.find(name)) read(*value, field);
  }
  void flag(const char* name, bool& field) { added(name, field); }

  template <class Struct>
  static void read_object(const JsonValue& value, Struct& fields) {
    Reader reader(value);
    visit(fields, reader);
    check(fields, value);
  }

 private:
  static void read(const JsonValue& value, std::string& text) { text = value.text(); }
  static void read(const JsonValue& value, Statement& statement) {
    statement = Statement::naming(value.text());
  }
  static void read(const JsonValue& value, bool& flag) { flag = value.flag(); }
  static void read(const JsonValue& value, int& count) {
    constexpr int kMost = 1 << 24;
    count = static_cast<int>(value.integer(0, kMost));
  }
  // A number that was not finite is null in the file and becomes NaN.
  template <std::floating_point Number>
  static void read(const JsonValue& value, Number& number) {
    number = std::numeric_limits<Number>::quiet_NaN();
    if (!value.is_null()) number = static_cast<Number>(value.number());
  }
  static void read(const JsonValue& value, Provenance& pairs) {
    for (const std::string& name : value.keys())
      pairs.emplace_back(name, value.at(name).text());
  }

  template <class Value>
  static void read(const JsonValue& value, Value& field) {
    if constexpr (std::is_enum_v<Value>) {
      read_name(value, field);
    } else {
      read_object(value, field);
    }
  }
  template <class Value>
  static void read_name(const JsonValue& value, Value& field) {
    const std::string name = value.text();
    std::string names;
    for (const auto& [named, known] : kNames<Value>) {
      if (known == name) {
        field = named;
        return;
      }
      names.append(names.empty() ? "" : ", ").append(known);
    }
    value.refuse("one of " + names);
  }
  template <class Item>
  static void read(const JsonValue& value, std::vector<Item>& items) {
    items.resize(value.size());
    for (std::size_t i = 0; i < items.size(); ++i)
      read(value.at(i), items[i]);
  }

  const JsonValue& object_;
};

}  // namespace

std::string figure_json(const Figure& figure) {
  return Writer::object_of(figure).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<Figure> read_figure_json(const std::filesystem::path& file, std::string_view bytes) {
  if (!bytes.starts_with("{\"name\":")) return std::nullopt;
  const JsonDocument document(file, bytes, kFigureLimits);
  Figure figure;
  Reader::read_object(document.root(), figure);
  return figure;
}

std::optional<Provenance> json_provenance(std::string_view bytes) {
  try {
    const Json figure = parse_json(bytes, kFigureLimits);
    if (!figure.is_object() || !figure.contains("provenance")) return std::nullopt;
    return provenance_from_json(figure["provenance"]);
  } catch (const LimitError&) {
    throw;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

std::string carried_figure(const Figure& figure) {
  return provenance_value(figure.provenance, "command").empty() ? figure_json(figure) : "";
}

}  // namespace dispersion
