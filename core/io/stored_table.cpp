#include "core/io/stored_table.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/attention/transforms.h"
#include "core/io/file.h"
#include "core/io/json.h"
#include "core/io/size_row_json.h"

namespace dispersion {
namespace {

using Json = nlohmann::ordered_json;

Json transform_json(const TableTally& tally, std::size_t transform) {
  const SizeRow& row = tally.rows[transform];
  Json object = {{"transform", transform_name(row.transform.id)},
                 {"won", tally.won[transform]},
                 {"lost", tally.lost[transform]}};
  add_row(object, row);
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

// Version 0.1.0 wrote other names.
JsonValue entry(const JsonValue& object, const char* name, const char* before) {
  return object.at(object.find(name) ? name : before);
}

void read_transform(const JsonValue& object, TableTally& tally, std::size_t transform) {
  SizeRow& row = tally.rows[transform];
  const std::string expected(transform_name(row.transform.id));
  const JsonValue name = entry(object, "transform", "map");
  if (name.text() != expected) name.refuse(expected);
  row.sets = tally.sets;
  tally.won[transform] = object.at("won").integer<std::int64_t>();
  tally.lost[transform] = object.at("lost").integer<std::int64_t>();
  read_row(object, row);
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
  const JsonValue transforms = entry(object, "transforms", "maps");
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
  } catch (const std::invalid_argument& error) {  // settings that no table can have
    throw FileError(name, error.what());
  }
}

}  // namespace dispersion
