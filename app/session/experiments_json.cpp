// The settings of experiments as JSON.

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "app/session/json_fields.h"
#include "app/session/setting_json.h"
#include "app/session/state_json.h"
#include "app/session/transform_json.h"

namespace dispersion {
namespace {

using Json = nlohmann::ordered_json;

void read_choice(const JsonValue& json, const Setting& setting, SettingValues& values) {
  const std::string name = json.text();
  std::string names;
  for (const SettingChoice& choice : setting.choices) {
    if (choice.name == name) return values.set(setting.name, choice.name);
    names.append(names.empty() ? "" : ", ").append(choice.name);
  }
  json.refuse("one of " + names);
}

void read_setting(const JsonValue& json, const Setting& setting, SettingValues& values) {
  switch (setting.kind) {
    case SettingKind::kWhole:
      return values.set(setting.name, static_cast<double>(json.integer<std::int64_t>()));
    case SettingKind::kReal:
      return values.set(setting.name, json.number());
    case SettingKind::kFlag:
      return values.set(setting.name, json.flag() ? 1.0 : 0.0);
    case SettingKind::kChoice:
      return read_choice(json, setting, values);
    case SettingKind::kSizes:
      return values.set(setting.name,
                        json.list([](const JsonValue& each) { return each.integer<int>(); }));
    case SettingKind::kTransforms:
      return values.set_transforms(json.list(transform_of));
  }
}

void read_settings(const JsonValue& json, const Experiment& experiment, SettingValues& values) {
  for (const std::string& key : json.keys()) {
    const auto found = std::ranges::find_if(
        experiment.settings, [&](const Setting& setting) { return setting_key(setting) == key; });
    if (found == experiment.settings.end()) json.at(key).refuse(kUnknownField);
    read_setting(json.at(key), *found, values);
  }
  try {
    values.require_valid();
  } catch (const std::invalid_argument& error) {
    json.refuse(std::string("settings in their ranges: ") + error.what());
  }
}

}  // namespace

Json experiments_json(const ExperimentSettings& settings, View front) {
  const ExperimentSettings usual;
  Json json = Json::object();
  for (std::size_t i = 1; i < view_count(); ++i) {
    const auto view = static_cast<View>(i);
    if (view != front && settings.of(view) == usual.of(view)) continue;
    Json values = Json::object();
    for (const Setting& setting : experiment_in(view).settings)
      values[setting_key(setting)] = setting_json(setting, settings.of(view), transform_json);
    json[experiment_in(view).name] = std::move(values);
  }
  return json;
}

void read_experiments(const JsonValue& json, ExperimentSettings& settings) {
  for (const std::string& name : json.keys()) {
    const Experiment* experiment = find_experiment(name);
    if (experiment == nullptr) json.at(name).refuse("left out: there is no such experiment here");
    read_settings(json.at(name), *experiment, settings.of(view_named(experiment->name)));
  }
}

}  // namespace dispersion
