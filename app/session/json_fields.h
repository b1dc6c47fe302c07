#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "app/export/figure_fields.h"
#include "core/io/json.h"
#include "core/io/text.h"

namespace dispersion {

// Helpers for reading what the user set from JSON; all throw FileError that names the place.

inline constexpr const char* kUnknownField = "left out: this program does not know it";

template <std::size_t kCount>
void refuse_unknown(const JsonValue& object, const std::string_view (&known)[kCount]) {
  for (const std::string& key : object.keys()) {
    if (std::ranges::find(known, key) == std::end(known)) object.at(key).refuse(kUnknownField);
  }
}

inline double number_from(const JsonValue& json, double low, double high) {
  const double value = json.number();
  if (!(value >= low && value <= high))
    json.refuse("from " + exact_text(low) + " to " + exact_text(high));
  return value;
}

// Reads the field into `value` where it is there.
template <class Value>
void read_if_there(const JsonValue& object, std::string_view key, Value& value, auto read) {
  if (const auto found = object.find(key)) value = static_cast<Value>(read(*found));
}

inline bool flag_of(const JsonValue& json) {
  return json.flag();
}

// The values of enumerations by their names in kNames.
template <class Value>
std::string_view name_of(Value value) {
  for (const auto& [each, name] : kNames<Value>) {
    if (each == value) return name;
  }
  throw std::logic_error("a value without a name");
}

template <class Value>
Value value_of(const JsonValue& json) {
  const std::string text = json.text();
  std::string names;
  for (const auto& [each, name] : kNames<Value>) {
    if (name == text) return each;
    names.append(names.empty() ? "" : ", ").append(name);
  }
  json.refuse("one of " + names);
}

}  // namespace dispersion
