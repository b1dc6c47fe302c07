// Every experiment, run with few sets: JSON, CSV and text have the numbers of its tables, and the
// window computes what the command prints.

#include "app/commands/experiment_output.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "app/commands/experiment_command.h"
#include "app/session/app_state.h"
#include "app/session/experiment_states.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

std::shared_ptr<const TrainingState> untrained_head(std::uint32_t seed) {
  auto state = std::make_shared<TrainingState>();
  state->seed = seed;
  state->parameters = initial_parameters(HeadShape(), seed);
  return state;
}

// What every experiment is made from here.
std::shared_ptr<const ShippedData> few_heads() {
  auto shipped = std::make_shared<ShippedData>();
  for (const std::uint32_t seed : {1U, 2U}) {
    shipped->heads.push_back({"head", Recipe(), untrained_head(seed)});
    shipped->histories.push_back({measure_history(Recipe(), *untrained_head(seed))});
  }
  return shipped;
}

// So few sets and sizes that it takes no time, and the same numbers every time.
SettingValues quick_values(const Experiment& experiment) {
  SettingValues values(experiment.settings, SettingUse::kCommand);
  for (const Setting& setting : experiment.settings) {
    if (setting.kind == SettingKind::kSizes) values.set(setting.name, std::vector<int>{16, 64});
  }
  for (const char* name : {"sets", "points"}) {
    if (values.has(name)) values.set(name, 4);
  }
  if (values.has("slope-items")) values.set("slope-items", 64);
  if (values.has("per-size")) values.set("per-size", 1);
  if (values.has("untimed")) values.set("untimed", 1);
  return values;
}

// The settings to be tried: also with the other parts and a head, where there is a choice.
std::vector<SettingValues> all_values(const Experiment& experiment) {
  std::vector<SettingValues> all = {quick_values(experiment)};
  for (const char* name : {"logits", "part"}) {
    if (!experiment.has_setting(name)) continue;
    for (const Setting& setting : experiment.settings) {
      for (const SettingChoice& choice : setting.choices) {
        if (setting.name != name) continue;
        all.push_back(quick_values(experiment));
        all.back().set(name, choice.name);
      }
    }
  }
  return all;
}

ExperimentInputs inputs_of(const Experiment& experiment, const SettingValues& values,
                           const ShippedData& shipped) {
  ExperimentInputs inputs;
  if (experiment.heads == HeadUse::kAll) inputs.heads = shipped.heads;
  if (experiment.takes_head(values) && experiment.heads != HeadUse::kAll)
    inputs.heads = {shipped.heads.front()};
  if (experiment.histories) inputs.histories = shipped.histories;
  return inputs;
}

std::vector<std::vector<std::string>> fields_of(const std::string& csv) {
  std::vector<std::vector<std::string>> lines;
  std::istringstream text(csv);
  for (std::string line; std::getline(text, line);) {
    lines.emplace_back();
    bool quoted = false;
    std::string field;
    for (const char c : line) {
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        lines.back().push_back(field);
        field.clear();
      } else {
        field += c;
      }
    }
    lines.back().push_back(field);
  }
  return lines;
}

std::string field_of(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void expect_whole(const ResultTable& table) {
  std::set<std::string_view> keys;
  for (const ResultColumn& column : table.columns) {
    EXPECT_FALSE(column.key.empty() && column.heading.empty());
    if (!column.key.empty()) {
      EXPECT_TRUE(keys.insert(column.key).second) << column.key;
    }
  }
  for (const std::vector<ResultValue>& row : table.rows)
    EXPECT_EQ(row.size(), table.columns.size()) << table.key;
}

// All rows of all tables, as JSON has them.
std::vector<Json> all_rows(const ExperimentResult& result) {
  std::vector<Json> rows;
  for (const ResultTable& table : result.tables) {
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      rows.push_back(row_json(table, row));
  }
  return rows;
}

// What people see of a value; empty for forms that are not checked here.
std::string seen(const ResultValue& value, const ResultColumn& column) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr || !std::isfinite(*number)) return "";
  if (column.form == NumberForm::kFixed) return fixed_text(*number, column.digits);
  if (column.form == NumberForm::kPercent) return fixed_text(100 * *number, column.digits);
  return "";
}

// Every number of the columns that people see.
void expect_in_text(const ResultTable& table, const std::string& text) {
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const bool pivoted = !table.pivot.across.empty();
    if (pivoted ? table.columns[column].key != table.pivot.shown
                : table.columns[column].heading.empty())
      continue;
    for (const std::vector<ResultValue>& row : table.rows) {
      const std::string expected = seen(row[column], table.columns[column]);
      EXPECT_NE(text.find(expected), std::string::npos) << expected;
    }
  }
}

void expect_agreement(const ExperimentRun& run, const ExperimentResult& result) {
  const Json json = result_json(run, result);
  EXPECT_EQ(json.at("command"), run.experiment.name);
  for (const Setting& setting : run.experiment.settings)
    EXPECT_TRUE(json.contains(setting_key(setting))) << setting.name;
  const auto first = std::ranges::find_if(
      result.tables, [](const ResultTable& table) { return !table.rows.empty(); });
  ASSERT_NE(first, result.tables.end());
  const std::vector<std::vector<std::string>> csv = fields_of(result_csv(result));
  const Json& member = json.at(std::string(first->key));
  const Json& rows = member.is_array() ? member : member.at("rows");
  ASSERT_EQ(csv.size(), rows.size() + 1);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::size_t column = 0;
    for (const auto& [key, value] : rows[row].items()) {
      EXPECT_EQ(csv[0][column], key);
      if (!value.is_array()) {
        EXPECT_EQ(csv[row + 1][column], field_of(value)) << key;
      }
      ++column;
    }
  }
  const std::string text = result_text(run, result);
  for (const ResultTable& table : result.tables) {
    if (table.for_people) expect_in_text(table, text);
    for (const std::string& note : table.notes)
      EXPECT_NE(text.find(note), std::string::npos);
  }
}

class ExperimentOutputTest : public testing::TestWithParam<std::string> {
 protected:
  const Experiment& experiment_ = *find_experiment(GetParam());
  std::shared_ptr<const ShippedData> shipped_ = few_heads();
  CommandBackends backends_{"cpu", 1};
};

TEST_P(ExperimentOutputTest, JsonCsvAndTextHaveTheSameNumbers) {
  for (const SettingValues& values : all_values(experiment_)) {
    SCOPED_TRACE(values.text());
    const ExperimentInputs inputs = inputs_of(experiment_, values, *shipped_);
    const ExperimentResult result = run_experiment(experiment_, values, inputs, backends_);
    EXPECT_EQ(result.figure.name, experiment_.name);
    for (const ResultTable& table : result.tables)
      expect_whole(table);
    expect_agreement({experiment_, values, inputs, backends_.used()}, result);
  }
}

TEST_P(ExperimentOutputTest, TheWindowComputesWhatTheCommandPrints) {
  const View view = view_named(experiment_.name);
  AppState app;
  app.shipped = shipped_;
  app.head = {1, shipped_->heads.front().state, 1};
  app.status.head_source = shipped_->heads.front().name;
  for (const SettingValues& values : all_values(experiment_)) {
    SCOPED_TRACE(values.text());
    app.experiment_settings.of(view) = values;
    const ExperimentResult shown = make_request(view, app).job(backends_, {}, nullptr);
    const ExperimentResult printed =
        run_experiment(experiment_, values, inputs_of(experiment_, values, *shipped_), backends_);
    EXPECT_EQ(all_rows(shown), all_rows(printed));
    EXPECT_FALSE(all_rows(shown).empty());
    EXPECT_EQ(shown.figure.sentence, printed.figure.sentence);
    EXPECT_EQ(shown.figure.provenance, printed.figure.provenance);
  }
}

std::vector<std::string> names_with_a_command() {
  std::vector<std::string> names;
  for (const Experiment& experiment : experiments()) {
    if (experiment.place == ExperimentPlace::kEverywhere) names.emplace_back(experiment.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Of, ExperimentOutputTest, testing::ValuesIn(names_with_a_command()),
                         [](const auto& parameter) { return parameter.param; });

}  // namespace
}  // namespace dispersion
