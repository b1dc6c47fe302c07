#include "core/io/stored_precision.h"

#include <nlohmann/json.hpp>

#include "core/io/file.h"
#include "core/io/json.h"
#include "core/io/size_row_json.h"

namespace dispersion {
namespace {

using Json = nlohmann::ordered_json;

Json row_json(const PrecisionRow& row) {
  Json object = {{"n", row.measured.items},
                 {"precision", precision_name(row.precision)},
                 {"perfect_accuracy", row.perfect_accuracy}};
  add_row(object, row.measured);
  return object;
}

PrecisionRow read_row(const JsonValue& object, std::int64_t sets, int items, Precision precision) {
  if (object.at("n").integer<int>() != items ||
      object.at("precision").text() != precision_name(precision))
    object.refuse("the row of size " + std::to_string(items) + " and precision " +
                  std::string(precision_name(precision)));
  PrecisionRow row = {precision, {.items = items}, object.at("perfect_accuracy").number()};
  row.measured.sets = sets;
  read_row(object, row.measured);
  return row;
}

StoredPrecision read_line(const JsonValue& object) {
  StoredPrecision stored;
  stored.commit = object.at("commit").text();
  stored.backend = object.at("backend").text();
  stored.run_hash = object.at("run_hash").text();
  PrecisionSettings& settings = stored.settings;
  settings.seed = object.at("set_seed").integer<std::uint32_t>();
  settings.sets = object.at("sets").integer<std::int64_t>();
  settings.sizes =
      object.at("sizes").list([](const JsonValue& size) { return size.integer<int>(); });
  const JsonValue rows = object.at("rows");
  if (rows.size() != settings.sizes.size() * settings.precisions.size())
    rows.refuse("a list of a row for every size and precision");
  for (const int items : settings.sizes) {
    for (const Precision precision : settings.precisions)
      stored.rows.push_back(read_row(rows.at(stored.rows.size()), settings.sets, items, precision));
  }
  return stored;
}

}  // namespace

std::string stored_precision_line(const StoredPrecision& stored) {
  Json rows = Json::array();
  for (const PrecisionRow& row : stored.rows)
    rows.push_back(row_json(row));
  const Json object = {{"commit", stored.commit},
                       {"backend", stored.backend},
                       {"run_hash", stored.run_hash},
                       {"set_seed", stored.settings.seed},
                       {"sets", stored.settings.sets},
                       {"sizes", stored.settings.sizes},
                       {"rows", rows}};
  return object.dump() + "\n";
}

std::vector<StoredPrecision> parse_stored_precision(const std::string& name,
                                                    std::string_view text) {
  std::vector<StoredPrecision> all;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string place = name + ": line " + std::to_string(all.size() + 1);
    if (end == std::string_view::npos) throw FileError(place, "ends in the middle");
    const JsonDocument line(place, text.substr(0, end));
    all.push_back(read_line(line.root()));
    text.remove_prefix(end + 1);
  }
  return all;
}

}  // namespace dispersion
