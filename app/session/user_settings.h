#pragma once

#include <map>
#include <string>

#include "app/session/experiment_states.h"
#include "app/session/settings.h"
#include "core/figure/zoom.h"

namespace dispersion {

struct AppState;

// All that the user sets, as one value: what undo goes back to, and what a state string holds.
struct UserSettings {
  ViewSettings view;
  RunSettings run;
  ExperimentSettings experiments;
  std::map<std::string, FigureZoom> zooms;  // by the names of figures

  bool operator==(const UserSettings&) const = default;
};

UserSettings user_settings(const AppState& app);
void put_settings(const UserSettings& settings, AppState& app);

// What differs, for people: "temperature θ 1 → 0.5; n 1 024 → 2 048". Empty where nothing does.
std::string difference_text(const UserSettings& before, const UserSettings& after);

// Puts those parts of `settings` in which `before` and `after` differ to what they are in `to`; the
// others stay.
void put_difference(const UserSettings& before, const UserSettings& after, const UserSettings& to,
                    UserSettings& settings);

}  // namespace dispersion
