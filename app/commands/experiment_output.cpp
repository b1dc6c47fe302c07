#include "app/commands/experiment_output.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "app/commands/command_inputs.h"
#include "app/commands/output.h"
#include "app/commands/text.h"
#include "app/export/provenance.h"
#include "app/session/setting_json.h"
#include "core/attention/transforms.h"
#include "core/figure/number_text.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr std::string_view kMissing = "-";
constexpr std::size_t kLongestCell = 1000;  // of a text such as the name of a head
constexpr int kWidestText = 100;            // tables with longer lines get narrower gaps

// --- JSON and CSV ---

struct ValueToJson {
  Json operator()(std::monostate) const { return {}; }
  Json operator()(double value) const { return std::isfinite(value) ? Json(value) : Json(); }
  template <class Value>
  Json operator()(const Value& value) const {
    return value;
  }
};

Json value_json(const ResultValue& value) {
  return std::visit(ValueToJson(), value);
}

Json transform_json(const AttentionTransform& transform) {
  return transform_text(transform);
}

Json head_json(const ExperimentHead& head) {
  Json object = {{"checkpoint", head.name}};
  object.update(head_provenance_json(head.recipe, *head.state, head.has_run, head.steps_before));
  return object;
}

void add_heads(const ExperimentRun& run, Json& object) {
  const HeadUse use = run.experiment.heads;
  if (use == HeadUse::kAll || use == HeadUse::kSeveral) {
    object["heads"] = Json::array();
    for (const ExperimentHead& head : run.inputs.heads)
      object["heads"].push_back(head_json(head));
  } else if (!run.inputs.heads.empty()) {
    object.update(head_json(run.inputs.heads.front()));
  }
}

void add_facts(const std::vector<ResultFact>& facts, Json& object) {
  for (const ResultFact& fact : facts)
    object[std::string(fact.key)] = value_json(fact.value);
}

// Adds the rows of a table to the list under its key, or to "rows" in the object under its key if
// the table has facts. Tables with the same key share the list.
void add_table(const ResultTable& table, Json& object) {
  const std::string key(table.key);
  Json& member = object[key];
  Json* rows = &member;
  if (!table.facts.empty()) {
    add_facts(table.facts, member);
    rows = &member["rows"];
  }
  if (rows->is_null()) *rows = Json::array();
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    rows->push_back(row_json(table, row));
}

void add_sentences(const ExperimentResult& result, Json& object) {
  Json sentences = Json::array();
  const auto add = [&](const std::string& sentence) {
    if (!sentence.empty()) sentences.push_back(with_plain_spaces(sentence));
  };
  for (const ResultTable& table : result.tables) {
    for (const std::string& note : table.notes)
      add(note);
  }
  for (const std::string& sentence : result.sentences)
    add(sentence);
  object["sentences"] = sentences;
}

// --- Text ---

std::string number_text(double value, const ResultColumn& column) {
  if (!std::isfinite(value)) return std::string(kMissing);
  switch (column.form) {
    case NumberForm::kFixed:
      return fixed_text(value, column.digits);
    case NumberForm::kPercent:
      return fixed_text(100 * value, column.digits);
    case NumberForm::kScientific: {
      std::array<char, 40> text{};
      std::snprintf(text.data(), text.size(), "%.*e", column.digits, value);
      return text.data();
    }
    case NumberForm::kSignificant:
      return significant_text(value, column.digits);
    case NumberForm::kPlain:
    case NumberForm::kName:
      break;
  }
  return Json(value).dump();
}

std::string value_text(const ResultValue& value, const ResultColumn& column) {
  if (const auto* text = std::get_if<std::string>(&value)) return foreign_text(*text, kLongestCell);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "yes" : "no";
  if (const auto* number = std::get_if<double>(&value)) return number_text(*number, column);
  return std::string(kMissing);
}

// A column of text: its heading and its cells.
struct TextColumn {
  std::string heading;
  std::vector<std::string> cells;
  bool left = false;  // aligned to the left
};

// The number of characters of UTF-8 text.
int width_of(std::string_view text) {
  return static_cast<int>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

int width_of(const TextColumn& column) {
  int width = width_of(column.heading);
  for (const std::string& cell : column.cells)
    width = std::max(width, width_of(cell));
  return width;
}

std::string aligned(const std::vector<TextColumn>& columns) {
  int all_columns = 0;
  for (const TextColumn& column : columns)
    all_columns += width_of(column) + 2;
  const std::size_t between = all_columns > kWidestText ? 1 : 2;
  std::vector<std::string> text(columns.front().cells.size() + 1);
  for (const TextColumn& column : columns) {
    const int width = width_of(column);
    for (std::size_t line = 0; line < text.size(); ++line) {
      const std::string& cell = line == 0 ? column.heading : column.cells[line - 1];
      text[line].append(between, ' ');
      text[line] += column.left ? align_left(cell, width) : align_right(cell, width);
    }
  }
  std::string all;
  for (std::string& line : text) {
    line.erase(line.find_last_not_of(' ') + 1);
    all += line + "\n";
  }
  return all;
}

// The columns as they are, without those that have no heading for people.
std::vector<TextColumn> list_columns(const ResultTable& table) {
  std::vector<TextColumn> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].heading.empty()) continue;
    const bool left = table.columns[i].form == NumberForm::kName;
    TextColumn column = {std::string(table.columns[i].heading), {}, left};
    for (const std::vector<ResultValue>& row : table.rows)
      column.cells.push_back(value_text(row[i], table.columns[i]));
    columns.push_back(std::move(column));
  }
  return columns;
}

std::size_t column_named(const ResultTable& table, std::string_view key) {
  return static_cast<std::size_t>(std::ranges::find(table.columns, key, &ResultColumn::key) -
                                  table.columns.begin());
}

// The index of a text in the list, to which it is added if it is new.
std::size_t index_in(std::vector<std::string>& list, const std::string& text) {
  const auto found = std::ranges::find(list, text);
  if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
  list.push_back(text);
  return list.size() - 1;
}

// A column for each value of the column `across`, with the values of the column `shown` in it.
std::vector<TextColumn> pivot_columns(const ResultTable& table) {
  const auto first = static_cast<std::size_t>(
      std::ranges::find_if(table.columns,
                           [](const ResultColumn& column) { return !column.heading.empty(); }) -
      table.columns.begin());
  const std::size_t across = column_named(table, table.pivot.across);
  const std::size_t shown = column_named(table, table.pivot.shown);
  std::vector<TextColumn> columns = {{std::string(table.columns[first].heading), {}, false}};
  std::vector<std::string> headings;
  for (const std::vector<ResultValue>& row : table.rows) {
    const std::size_t line =
        index_in(columns.front().cells, value_text(row[first], table.columns[first]));
    const std::string heading =
        std::string(table.pivot.prefix) + value_text(row[across], table.columns[across]);
    const std::size_t column = index_in(headings, heading) + 1;
    if (column == columns.size()) columns.push_back({heading, {}, false});
    std::vector<std::string>& cells = columns[column].cells;
    cells.resize(std::max(cells.size(), line + 1));
    cells[line] = value_text(row[shown], table.columns[shown]);
  }
  for (TextColumn& column : columns)
    column.cells.resize(columns.front().cells.size());
  return columns;
}

std::string table_text(const ResultTable& table) {
  std::string text;
  if (table.for_people) {
    if (!table.title.empty()) text += table.title + "\n";
    text += aligned(table.pivot.across.empty() ? list_columns(table) : pivot_columns(table));
  }
  for (const std::string& note : table.notes)
    text += note.empty() ? "" : note + "\n";
  return text;
}

std::string head_text(const ExperimentRun& run) {
  const HeadUse use = run.experiment.heads;
  if (run.inputs.heads.empty() || use == HeadUse::kAll || use == HeadUse::kSeveral) return "";
  return head_line(run.inputs.heads.front());
}

}  // namespace

Json row_json(const ResultTable& table, std::size_t row) {
  Json object = Json::object();
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (!table.columns[i].key.empty())
      object[std::string(table.columns[i].key)] = value_json(table.rows[row][i]);
  }
  return object;
}

Json result_json(const ExperimentRun& run, const ExperimentResult& result) {
  Json object = {{"command", run.experiment.name}};
  add_heads(run, object);
  for (const Setting& setting : run.experiment.settings)
    object[setting_key(setting)] = setting_json(setting, run.values, transform_json);
  object.update(build_provenance_json(run.backend));
  object["share_done"] = run.share_done;
  add_facts(result.facts, object);
  for (const ResultTable& table : result.tables)
    add_table(table, object);
  add_sentences(result, object);
  return object;
}

std::string result_csv(const ExperimentResult& result) {
  if (result.tables.empty()) return "";
  const auto has_rows = [](const ResultTable& table) { return !table.rows.empty(); };
  auto first = std::ranges::find_if(result.tables, has_rows);
  if (first == result.tables.end()) first = result.tables.begin();
  std::vector<std::string_view> names;
  for (const ResultColumn& column : first->columns) {
    if (!column.key.empty()) names.push_back(column.key);
  }
  std::vector<Json> rows;
  for (const ResultTable& table : result.tables) {
    if (table.key != first->key) continue;
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      rows.push_back(row_json(table, row));
  }
  if (!rows.empty()) return csv_text(rows);
  std::string text;
  for (const std::string_view name : names)
    text.append(text.empty() ? "" : ",").append(name);
  return text + "\n";
}

std::string result_text(const ExperimentRun& run, const ExperimentResult& result) {
  std::string text = head_text(run);
  for (const std::string& line : result.introduction)
    text += line + "\n";
  for (const ResultTable& table : result.tables) {
    if (table.rows.empty() && table.notes.empty()) continue;
    const std::string part = table_text(table);
    if (!part.empty()) text += (text.empty() ? "" : "\n") + part;
  }
  std::string sentences;
  for (const std::string& sentence : result.sentences)
    sentences += sentence.empty() ? "" : sentence + "\n";
  return text + (sentences.empty() ? "" : "\n" + sentences);
}

}  // namespace dispersion
