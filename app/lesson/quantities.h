#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/attention/attention_transform.h"

namespace dispersion {

struct AppState;

// Which of several numbers of its kind: at this n, under this transform.
struct QuantityPlace {
  int items = 0;
  TransformId transform = TransformId::kSoftmax;

  bool operator==(const QuantityPlace&) const = default;
};

// A number of the state in view that lessons can name.
struct LessonQuantity {
  std::string_view name;  // "weight_on_max"
  std::string_view help;  // what it is, with its unit
  bool of_size = true;    // it has a place: "weight_on_max@1024 adaptive"
  int decimals = 0;       // that are shown
  std::string_view unit;  // behind a guess of it: "%"; may be empty
  // Nothing where it is not computed, or of other settings or another head than those in view.
  std::optional<double> (*value)(const AppState&, const QuantityPlace&) = nullptr;
};

// All of them; docs/lessons.md lists the same.
std::span<const LessonQuantity> lesson_quantities();
// Null: there is none of this name.
const LessonQuantity* lesson_quantity(std::string_view name);

// One of these numbers, as it stands in the text of a lesson.
struct LessonNumber {
  const LessonQuantity* quantity = nullptr;  // of lesson_quantities()
  QuantityPlace place = {};

  bool operator==(const LessonNumber&) const = default;
};

// Reads "accuracy@1024", "accuracy@1024 adaptive" or "step". Throws std::invalid_argument, which
// says what was expected.
LessonNumber read_lesson_number(std::string_view text);
// Reads the n of a map in the window; throws the same.
int read_shown_items(std::string_view text);

std::optional<double> value_of(const LessonNumber& number, const AppState& app);
// With its digits; "–" where there is no value.
std::string shown_value(const LessonNumber& number, const AppState& app);

}  // namespace dispersion
