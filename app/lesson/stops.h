#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/views.h"

namespace dispersion {

struct AppState;
class ExperimentSettings;

// The values that a step sets one after another, so that a drag can be done by clicker. The first
// is set when the step is opened; Next sets the others before it goes on.
struct LessonStops {
  enum class Of { kItems, kTheta, kSetting };
  Of of = Of::kItems;
  View view = View::kAttention;      // of the setting
  const Setting* setting = nullptr;  // of that view's experiment
  std::vector<double> values = {};   // at least one; of a choice the index, of a flag 0 or 1
  int line = 0;                      // in the file

  bool operator==(const LessonStops&) const = default;
};

// Reads "n 16, 64, 256", "theta 1, 0.5" or "bounds.rho-b 0.2, 0.7": what is set, and its values.
// Throws std::invalid_argument, which says what was expected.
LessonStops read_stops(std::string_view text);

// Throws std::invalid_argument where a value does not go with the other settings, as the priority
// of b that is not below that of a.
void check_stops(const LessonStops& stops, const ExperimentSettings& settings);

// Sets the value at `index`, as the user would.
void go_to_stop(const LessonStops& stops, std::size_t index, AppState& app);

// "n = 64", "θ = 0.5", "priority of b = 0.7"
std::string stop_text(const LessonStops& stops, std::size_t index);

}  // namespace dispersion
