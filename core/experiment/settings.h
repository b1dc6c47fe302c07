#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/attention_transform.h"

namespace dispersion {

// What a user can set of an experiment. The command's options, the window's controls and the keys
// in JSON are made from these.

enum class SettingKind {
  kWhole,       // a whole number in [low, high]
  kReal,        // a number in [low, high], without the ends that are open
  kFlag,        // on or off
  kChoice,      // one of several names
  kSizes,       // a list of whole numbers in [low, high]
  kTransforms,  // attention transforms that are compared with plain softmax
};

// One of several names: `name` on the command line and in files, `label` in the window. A choice
// without a label is offered on the command line alone.
struct SettingChoice {
  std::string_view name;
  std::string_view label;
};

// A setting that has an effect only while a choice has one of two values.
struct SettingCondition {
  std::string_view setting = {};  // empty: always
  std::string_view value = {};
  std::string_view other_value = {};
};

struct Setting {
  std::string_view name = {};   // "set-seed": the option --set-seed; in JSON "set_seed"
  std::string_view label = {};  // in the window; empty: the window keeps the value it begins with
  std::string_view help = {};   // a sentence, with the unit
  SettingKind kind = SettingKind::kWhole;
  double low = 0;
  double high = 1;
  bool low_open = false;
  bool high_open = false;
  double value = 0;  // default: the number, 0 or 1, or the index of the choice
  // What the window and a figure begin with where a picture shows less than a list; NaN: `value`.
  double shown_value = std::numeric_limits<double>::quiet_NaN();
  std::vector<int> sizes = {};                      // default of kSizes
  std::vector<AttentionTransform> transforms = {};  // default of kTransforms
  std::vector<SettingChoice> choices = {};
  std::string_view section = {};    // in the window: the heading that begins with this setting
  SettingCondition only_with = {};  // else the setting changes nothing
  std::string_view above = {};      // the setting that this number must be larger than
  bool of_view = false;             // in the window this is the temperature of all views
  bool in_command = true;           // false: a figure or the window sets it
};

// "set_seed": the key of a setting in JSON.
std::string setting_key(const Setting& setting);

enum class SettingUse { kCommand, kPicture };  // with which defaults an experiment begins

// The values of an experiment's settings. Asking for a setting that the experiment does not have
// throws std::logic_error. The settings must outlive this.
class SettingValues {
 public:
  SettingValues() = default;
  SettingValues(std::span<const Setting> settings, SettingUse use);

  bool has(std::string_view name) const;
  double real(std::string_view name) const;
  std::int64_t count(std::string_view name) const;
  int whole(std::string_view name) const { return static_cast<int>(count(name)); }
  std::uint32_t seed(std::string_view name) const {
    return static_cast<std::uint32_t>(count(name));
  }
  bool flag(std::string_view name) const { return real(name) != 0; }
  std::string_view choice(std::string_view name) const;  // its name
  const std::vector<int>& sizes(std::string_view name) const;
  const std::vector<AttentionTransform>& transforms() const;  // of the setting "transforms"

  void set(std::string_view name, double value);
  void set(std::string_view name, std::string_view choice);
  void set(std::string_view name, std::vector<int> sizes);
  void set_transforms(std::vector<AttentionTransform> transforms);

  // Whether the setting has an effect as the others are.
  bool applies(const Setting& setting) const;
  // Throws std::invalid_argument that names the setting and what was expected.
  void require_valid() const;
  // Every value in a line: equal texts, equal settings.
  std::string text() const;

 private:
  struct Value {
    double number = 0;
    std::vector<int> sizes;
    std::vector<AttentionTransform> transforms;
  };
  std::size_t place(std::string_view name) const;

  std::span<const Setting> settings_;
  std::vector<Value> values_;
};

}  // namespace dispersion
