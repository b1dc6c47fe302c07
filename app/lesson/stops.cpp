#include "app/lesson/stops.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "app/lesson/quantities.h"
#include "app/session/app_state.h"
#include "core/figure/number_text.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& expected) {
  throw std::invalid_argument(in_quotes(text) + "; expected " + expected);
}

double read_number(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || !std::isfinite(number)) refuse(text, "a number");
  return number;
}

double read_theta(std::string_view text) {
  const double theta = read_number(text);
  if (theta < kLowestTheta || theta > kHighestTheta)
    refuse(text,
           "a temperature from " + exact_text(kLowestTheta) + " to " + exact_text(kHighestTheta));
  return theta;
}

double read_choice(const Setting& setting, std::string_view text) {
  std::string names;
  for (std::size_t i = 0; i < setting.choices.size(); ++i) {
    if (setting.choices[i].name == text) return static_cast<double>(i);
    names.append(i == 0 ? "" : ", ").append(setting.choices[i].name);
  }
  refuse(text, "one of " + names);
}

// Ranges are left to check_stops().
double read_value(const LessonStops& stops, std::string_view text) {
  if (stops.of == LessonStops::Of::kItems) return read_shown_items(text);
  if (stops.of == LessonStops::Of::kTheta) return read_theta(text);
  switch (stops.setting->kind) {
    case SettingKind::kChoice:
      return read_choice(*stops.setting, text);
    case SettingKind::kFlag:
      if (text != "on" && text != "off") refuse(text, "on or off");
      return text == "on" ? 1 : 0;
    case SettingKind::kWhole:
      if (read_number(text) != std::round(read_number(text))) refuse(text, "a whole number");
      return read_number(text);
    default:
      return read_number(text);
  }
}

// Whether the window has a control for it that takes one value.
bool has_stops(const Setting& setting) {
  return !setting.label.empty() && !setting.of_view && setting.kind != SettingKind::kSizes &&
         setting.kind != SettingKind::kTransforms;
}

const Setting* find_setting(View view, std::string_view name) {
  std::string names;
  for (const Setting& each : experiment_in(view).settings) {
    if (!has_stops(each)) continue;
    if (each.name == name) return &each;
    names.append(names.empty() ? "" : ", ").append(each.name);
  }
  refuse(name, "a setting that has values to go through in this view: " + names);
}

LessonStops read_target(std::string_view text) {
  if (text == "n") return {LessonStops::Of::kItems};
  if (text == "theta") return {LessonStops::Of::kTheta};
  const std::size_t dot = text.find('.');
  const Experiment* experiment = find_experiment(text.substr(0, dot));
  if (dot == std::string_view::npos || experiment == nullptr)
    refuse(text, "n, theta, or a view, a dot and the name of a setting, as in bounds.rho-b");
  const View view = view_named(experiment->name);
  return {LessonStops::Of::kSetting, view, find_setting(view, text.substr(dot + 1))};
}

std::string value_text(const Setting& setting, double value) {
  if (setting.kind == SettingKind::kFlag) return value == 0 ? "off" : "on";
  if (setting.kind != SettingKind::kChoice) return plain_number(value);
  const SettingChoice& choice = setting.choices[static_cast<std::size_t>(value)];
  return std::string(choice.label.empty() ? choice.name : choice.label);
}

}  // namespace

LessonStops read_stops(std::string_view text) {
  const std::size_t space = text.find(' ');
  LessonStops stops = read_target(text.substr(0, space));
  if (space == std::string_view::npos) refuse(text, "values behind it, as in n 16, 64, 256");
  text.remove_prefix(space);
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view value = text.substr(0, comma);
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    value = value.substr(0, value.find_last_not_of(' ') + 1);
    stops.values.push_back(read_value(stops, value));
    if (comma == text.size() - 1) refuse(text, "a value behind the last comma");
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return stops;
}

void check_stops(const LessonStops& stops, const ExperimentSettings& settings) {
  if (stops.of != LessonStops::Of::kSetting) return;
  SettingValues values = settings.of(stops.view);
  for (const double value : stops.values) {
    values.set(stops.setting->name, value);
    values.require_valid();
  }
}

void go_to_stop(const LessonStops& stops, std::size_t index, AppState& app) {
  const double value = stops.values.at(index);
  switch (stops.of) {
    case LessonStops::Of::kItems:
      app.view.focused_items = static_cast<int>(value);
      return;
    case LessonStops::Of::kTheta:
      app.view.theta = value;
      return;
    case LessonStops::Of::kSetting:
      app.experiment_settings.of(stops.view).set(stops.setting->name, value);
      return;
  }
}

std::string stop_text(const LessonStops& stops, std::size_t index) {
  const double value = stops.values.at(index);
  switch (stops.of) {
    case LessonStops::Of::kItems:
      return "n = " + grouped_text(std::llround(value));
    case LessonStops::Of::kTheta:
      return "θ = " + plain_number(value);
    case LessonStops::Of::kSetting:
      return std::string(stops.setting->label) + " = " + value_text(*stops.setting, value);
  }
  return "";
}

}  // namespace dispersion
