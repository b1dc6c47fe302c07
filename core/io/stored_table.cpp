#include "core/io/stored_table.h"

#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "core/attention/transforms.h"
#include "core/io/error.h"
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

// From outside: every access throws when something is missing or of another kind.
void require(bool right, const std::string& what) {
  if (!right) throw std::invalid_argument(what);
}

// Version 0.1.0 wrote other names.
const nlohmann::json& entry(const nlohmann::json& object, const char* name, const char* before) {
  return object.at(object.contains(name) ? name : before);
}

void read_transform(const nlohmann::json& object, TableTally& tally, std::size_t transform) {
  SizeRow& row = tally.rows[transform];
  const std::string name(transform_name(row.transform.id));
  require(entry(object, "transform", "map").get<std::string>() == name,
          "expected the transform " + name);
  row.sets = tally.sets;
  tally.won[transform] = object.at("won").get<std::int64_t>();
  tally.lost[transform] = object.at("lost").get<std::int64_t>();
  read_row(object, row);
}

void read_cell(const nlohmann::json& object, std::uint32_t seed, std::int64_t sets,
               TableTally& tally) {
  require(object.at("items").get<int>() == tally.rows.front().items &&
              object.at("seed").get<std::uint32_t>() == seed &&
              object.at("sets").get<std::int64_t>() == sets,
          "expected cells size by size and head by head, with all sets");
  tally.sets = sets;
  tally.past_window = object.at("past_window").get<std::int64_t>();
  const nlohmann::json& transforms = entry(object, "transforms", "maps");
  require(transforms.size() == tally.rows.size(),
          "expected softmax, adaptive and hard in every cell");
  for (std::size_t transform = 0; transform < tally.rows.size(); ++transform)
    read_transform(transforms.at(transform), tally, transform);
}

StoredTable read_table(const nlohmann::json& object) {
  StoredTable table;
  table.commit = object.at("commit").get<std::string>();
  table.backend = object.at("backend").get<std::string>();
  std::vector<TableHead> heads;
  for (const nlohmann::json& head : object.at("heads")) {
    heads.push_back({head.at("seed").get<std::uint32_t>(), {}});
    table.run_hashes.push_back(head.at("run_hash").get<std::string>());
  }
  TableSettings settings;
  settings.sets = object.at("sets").get<std::int64_t>();
  settings.sizes = object.at("sizes").get<std::vector<int>>();
  table.run = start_table(heads, settings);
  const nlohmann::json& cells = object.at("cells");
  require(cells.size() == table.run.tallies.size(), "expected a cell for every size and head");
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
  try {
    return read_table(parse_json(json));
  } catch (const nlohmann::json::exception& error) {
    throw FileError(name, error.what());
  } catch (const std::invalid_argument& error) {
    throw FileError(name, error.what());
  }
}

}  // namespace dispersion
