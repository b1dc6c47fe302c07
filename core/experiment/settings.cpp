#include "core/experiment/settings.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/attention/transforms.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

[[noreturn]] void refuse(const Setting& setting, const std::string& expected) {
  throw std::invalid_argument("--" + std::string(setting.name) + ": expected " + expected);
}

bool in_range(const Setting& setting, double value) {
  const bool above = setting.low_open ? value > setting.low : value >= setting.low;
  const bool below = setting.high_open ? value < setting.high : value <= setting.high;
  return above && below;
}

// Everything that distinguishes a transform from others, with numbers in full.
std::string whole_text(const AttentionTransform& transform) {
  const AdaptiveRule& rule = transform.rule;
  std::string text = transform_text(transform) + " theta " + exact_text(transform.theta) + " rule";
  for (const double coefficient : rule.coefficients)
    text.append(" ").append(exact_text(coefficient));
  text.append(" gate ").append(exact_text(rule.gate));
  if (rule.guarded) text.append(" peak ").append(exact_text(rule.peak));
  return text;
}

}  // namespace

std::string setting_key(const Setting& setting) {
  std::string key(setting.name);
  std::ranges::replace(key, '-', '_');
  return key;
}

SettingValues::SettingValues(std::span<const Setting> settings, SettingUse use)
    : settings_(settings) {
  for (const Setting& setting : settings_) {
    const bool shown = use == SettingUse::kPicture && !std::isnan(setting.shown_value);
    values_.push_back(
        {shown ? setting.shown_value : setting.value, setting.sizes, setting.transforms});
  }
}

std::size_t SettingValues::place(std::string_view name) const {
  const auto found = std::ranges::find(settings_, name, &Setting::name);
  if (found == settings_.end())
    throw std::logic_error("the experiment has no setting '" + std::string(name) + "'");
  return static_cast<std::size_t>(found - settings_.begin());
}

bool SettingValues::has(std::string_view name) const {
  return std::ranges::find(settings_, name, &Setting::name) != settings_.end();
}

double SettingValues::real(std::string_view name) const {
  return values_[place(name)].number;
}

std::int64_t SettingValues::count(std::string_view name) const {
  return std::llround(real(name));
}

std::string_view SettingValues::choice(std::string_view name) const {
  const std::size_t at = place(name);
  return settings_[at].choices.at(static_cast<std::size_t>(values_[at].number)).name;
}

const std::vector<int>& SettingValues::sizes(std::string_view name) const {
  return values_[place(name)].sizes;
}

const std::vector<AttentionTransform>& SettingValues::transforms() const {
  return values_[place("transforms")].transforms;
}

void SettingValues::set_transforms(std::vector<AttentionTransform> transforms) {
  values_[place("transforms")].transforms = std::move(transforms);
}

void SettingValues::set(std::string_view name, double value) {
  values_[place(name)].number = value;
}

void SettingValues::set(std::string_view name, std::string_view choice) {
  const std::size_t at = place(name);
  const auto& choices = settings_[at].choices;
  const auto found = std::ranges::find(choices, choice, &SettingChoice::name);
  if (found == choices.end())
    throw std::logic_error("the setting '" + std::string(name) + "' has no choice '" +
                           std::string(choice) + "'");
  values_[at].number = static_cast<double>(found - choices.begin());
}

void SettingValues::set(std::string_view name, std::vector<int> sizes) {
  values_[place(name)].sizes = std::move(sizes);
}

bool SettingValues::applies(const Setting& setting) const {
  const SettingCondition& condition = setting.only_with;
  if (condition.setting.empty()) return true;
  const std::string_view chosen = choice(condition.setting);
  return chosen == condition.value || chosen == condition.other_value;
}

void SettingValues::require_valid() const {
  for (std::size_t i = 0; i < settings_.size(); ++i) {
    const Setting& setting = settings_[i];
    const bool number = setting.kind == SettingKind::kWhole || setting.kind == SettingKind::kReal;
    if (number && !in_range(setting, values_[i].number)) {
      refuse(setting, "a number from " + exact_text(setting.low) + " to " +
                          exact_text(setting.high) + ", not " + exact_text(values_[i].number));
    }
    for (const int size : values_[i].sizes) {
      if (!in_range(setting, size))
        refuse(setting, "numbers from " + exact_text(setting.low) + " to " +
                            exact_text(setting.high) + ", not " + std::to_string(size));
    }
    for (const AttentionTransform& transform : values_[i].transforms)
      validate(transform);
    if (!setting.above.empty() && values_[i].number <= real(setting.above))
      refuse(setting, "a number above --" + std::string(setting.above));
  }
}

std::string SettingValues::text() const {
  std::string text;
  for (std::size_t i = 0; i < settings_.size(); ++i) {
    text.append(text.empty() ? "" : " ").append(settings_[i].name).append(" ");
    for (const int size : values_[i].sizes)
      text.append(std::to_string(size)).append(",");
    for (const AttentionTransform& transform : values_[i].transforms)
      text.append(whole_text(transform)).append(",");
    text += exact_text(values_[i].number);
  }
  return text;
}

}  // namespace dispersion
