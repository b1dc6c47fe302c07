#include "core/io/stored_results.h"

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/attention/transforms.h"
#include "core/io/file.h"
#include "core/io/json.h"

namespace dispersion {
namespace {

using Json = nlohmann::ordered_json;

struct Count {
  const char* name;
  std::int64_t SizeRow::*value;
};
constexpr std::array<Count, 3> kCounts = {{{"correct", &SizeRow::correct},
                                           {"argmax_correct", &SizeRow::argmax_correct},
                                           {"tied", &SizeRow::tied}}};

struct Sum {
  const char* name;
  double SizeRow::*value;
};
constexpr std::array<Sum, 4> kSums = {{{"entropy_sum", &SizeRow::entropy_sum},
                                       {"weight_on_max_sum", &SizeRow::weight_on_max_sum},
                                       {"logit_spread_sum", &SizeRow::logit_spread_sum},
                                       {"theta_sum", &SizeRow::theta_sum}}};

// The measurements of a row, without its size, transform and number of sets.
void add_measurements(Json& object, const SizeRow& row) {
  for (const Count& count : kCounts)
    object[count.name] = row.*count.value;
  for (const Sum& sum : kSums)
    object[sum.name] = row.*sum.value;
}

void read_measurements(const JsonValue& object, SizeRow& row) {
  for (const Count& count : kCounts)
    row.*count.value = object.at(count.name).integer<std::int64_t>();
  for (const Sum& sum : kSums)
    row.*sum.value = object.at(sum.name).number();
}

Json transform_json(const TableTally& tally, std::size_t transform) {
  const SizeRow& row = tally.rows[transform];
  Json object = {{"transform", transform_name(row.transform.id)},
                 {"won", tally.won[transform]},
                 {"lost", tally.lost[transform]}};
  add_measurements(object, row);
  return object;
}

Json cell_json(const TableRun& run, std::size_t cell) {
  const TableTally& tally = run.tallies[cell];
  Json transforms = Json::array();
  for (std::size_t transform = 0; transform < tally.rows.size(); ++transform)
    transforms.push_back(transform_json(tally, transform));
  return {{"items", tally.rows.front().items},
          {"seed", run.seeds[cell % run.seeds.size()]},
          {"sets", tally.sets},
          {"past_window", tally.past_window},
          {"transforms", transforms}};
}

// The value of `name`, or of `old_name`, which version 0.1.0 wrote.
JsonValue renamed_value(const JsonValue& object, const char* name, const char* old_name) {
  return object.at(object.find(name) ? name : old_name);
}

void read_transform(const JsonValue& object, TableTally& tally, std::size_t transform) {
  SizeRow& row = tally.rows[transform];
  const std::string expected(transform_name(row.transform.id));
  const JsonValue name = renamed_value(object, "transform", "map");
  if (name.text() != expected) name.refuse(expected);
  row.sets = tally.sets;
  tally.won[transform] = object.at("won").integer<std::int64_t>();
  tally.lost[transform] = object.at("lost").integer<std::int64_t>();
  read_measurements(object, row);
}

void read_cell(const JsonValue& object, std::uint32_t seed, std::int64_t sets, TableTally& tally) {
  const int items = tally.rows.front().items;
  if (object.at("items").integer<int>() != items ||
      object.at("seed").integer<std::uint32_t>() != seed ||
      object.at("sets").integer<std::int64_t>() != sets)
    object.refuse("the cell of size " + std::to_string(items) + " and seed " +
                  std::to_string(seed) + ", of " + std::to_string(sets) + " sets");
  tally.sets = sets;
  tally.past_window = object.at("past_window").integer<std::int64_t>();
  const JsonValue transforms = renamed_value(object, "transforms", "maps");
  if (transforms.size() != tally.rows.size())
    transforms.refuse("a list of softmax, adaptive and hard");
  for (std::size_t transform = 0; transform < tally.rows.size(); ++transform)
    read_transform(transforms.at(transform), tally, transform);
}

StoredTable read_table(const JsonValue& object) {
  StoredTable table;
  table.commit = object.at("commit").text();
  table.backend = object.at("backend").text();
  std::vector<TableHead> heads;
  const JsonValue listed = object.at("heads");
  for (std::size_t i = 0; i < listed.size(); ++i) {
    heads.push_back({listed.at(i).at("seed").integer<std::uint32_t>(), {}});
    table.run_hashes.push_back(listed.at(i).at("run_hash").text());
  }
  TableSettings settings;
  settings.sets = object.at("sets").integer<std::int64_t>();
  settings.sizes =
      object.at("sizes").list([](const JsonValue& size) { return size.integer<int>(); });
  table.run = start_table(heads, settings);
  const JsonValue cells = object.at("cells");
  if (cells.size() != table.run.tallies.size())
    cells.refuse("a list of a cell for every size and head");
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    read_cell(cells.at(cell), heads[cell % heads.size()].seed, settings.sets,
              table.run.tallies[cell]);
  }
  return table;
}

}  // namespace

std::string stored_table_json(const StoredTable& table) {
  const TableRun& run = table.run;
  Json heads = Json::array();
  for (std::size_t head = 0; head < run.seeds.size(); ++head)
    heads.push_back({{"seed", run.seeds[head]}, {"run_hash", table.run_hashes[head]}});
  const Json head = {{"commit", table.commit},
                     {"backend", table.backend},
                     {"sets", run.settings.sets},
                     {"sizes", run.settings.sizes},
                     {"heads", heads}};
  std::string text = head.dump();
  text.replace(text.size() - 1, 1, ",\"cells\":[");
  for (std::size_t cell = 0; cell < run.tallies.size(); ++cell) {
    text += cell == 0 ? "\n" : ",\n";
    text += cell_json(run, cell).dump();
  }
  return text + "\n]}\n";
}

StoredTable parse_stored_table(const std::string& name, std::string_view json) {
  const JsonDocument document(name, json);
  try {
    return read_table(document.root());
  } catch (const std::invalid_argument& error) {  // from start_table(), for invalid settings
    throw FileError(name, error.what());
  }
}

namespace {

Json row_json(const PrecisionRow& row) {
  Json object = {{"n", row.measured.items},
                 {"precision", precision_name(row.precision)},
                 {"perfect_accuracy", row.perfect_accuracy}};
  add_measurements(object, row.measured);
  return object;
}

PrecisionRow read_row(const JsonValue& object, std::int64_t sets, int items, Precision precision) {
  if (object.at("n").integer<int>() != items ||
      object.at("precision").text() != precision_name(precision))
    object.refuse("the row of size " + std::to_string(items) + " and precision " +
                  std::string(precision_name(precision)));
  PrecisionRow row = {precision, {.items = items}, object.at("perfect_accuracy").number()};
  row.measured.sets = sets;
  read_measurements(object, row.measured);
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
