#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/attention_transform.h"

namespace dispersion {

// The settings of an experiment. The options of its command, the controls in the window and the
// keys in JSON are made from them.

enum class SettingKind {
  kWhole,       // a whole number in [low, high]
  kReal,        // a number in [low, high], but not an end that is open
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
  std::string_view label = {};  // in the window; empty: the window does not show it
  std::string_view help = {};   // a sentence, with the unit
  SettingKind kind = SettingKind::kWhole;
  double low = 0;
  double high = 1;
  bool low_open = false;
  bool high_open = false;
  double value = 0;  // default: the number, 0 or 1, or the index of the choice
  // Default in the window and of a figure, where it differs, e.g. since a figure shows one case and
  // a table shows all; NaN: `value`.
  double shown_value = std::numeric_limits<double>::quiet_NaN();
  std::vector<int> sizes = {};                      // default of kSizes
  std::vector<AttentionTransform> transforms = {};  // default of kTransforms
  std::vector<SettingChoice> choices = {};
  std::string_view section = {};    // heading above this setting in the window
  SettingCondition only_with = {};  // when the setting has an effect
  std::string_view above = {};      // the setting that this number must be larger than
  bool of_view = false;             // in the window it follows the temperature of the main view
  // It says how heads are measured; a command without a head that the user chose refuses it.
  bool of_heads = false;
};

// "set_seed": the key of a setting in JSON.
std::string setting_key(const Setting& setting);

// Whose defaults an experiment begins with: kCommand takes Setting::value, kPicture, which stands
// for the window and for figures, takes Setting::shown_value where there is one.
enum class SettingUse { kCommand, kPicture };

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

  // Whether the setting has an effect, given the values of the others.
  bool applies(const Setting& setting) const;
  // Throws std::invalid_argument, with the setting and the range, for a value that is out of range.
  void require_valid() const;
  // All values in one line, numbers with as many digits as restore them exactly: the texts of two
  // sets of values are equal if and only if the values are, to the last bit.
  std::string text() const;

  // Of the same settings with the same values.
  bool operator==(const SettingValues& other) const {
    return settings_.data() == other.settings_.data() && values_ == other.values_;
  }

 private:
  struct Value {
    double number = 0;
    std::vector<int> sizes;
    std::vector<AttentionTransform> transforms;

    bool operator==(const Value&) const = default;
  };
  std::size_t place(std::string_view name) const;

  std::span<const Setting> settings_;
  std::vector<Value> values_;
};

}  // namespace dispersion
