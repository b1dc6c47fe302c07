#pragma once

#include <vector>

#include "app/session/experiment_states.h"
#include "core/experiment/experiment.h"

namespace dispersion {

// What the user has set for each experiment.
class ExperimentSettings {
 public:
  ExperimentSettings();  // as a new window has them
  SettingValues& of(View view) { return values_[static_cast<std::size_t>(view)]; }
  const SettingValues& of(View view) const { return values_[static_cast<std::size_t>(view)]; }

 private:
  std::vector<SettingValues> values_;  // [views]
};

// What an experiment's view would have computed, as things are set in the window.
ExperimentRequest make_request(View view, const AppState& app);

}  // namespace dispersion
