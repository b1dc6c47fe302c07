#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "app/session/app_state.h"

namespace dispersion {

// All that the user sets, as one value: what undo goes back to.
struct UserSettings {
  ViewSettings view;
  RunSettings run;
  ExperimentSettings experiments;
  std::map<std::string, FigureZoom> zooms;

  bool operator==(const UserSettings&) const = default;
};
UserSettings user_settings(const AppState& app);

// A change of settings by the user.
struct SettingsStep {
  std::string what;  // "temperature θ 1 → 0.5"
  UserSettings before;
  UserSettings after;
};

// The user's changes of settings, to be undone and done again, the newest first. What the program
// changes in between stays as it is: a step takes back only the parts that it has changed.
class SettingsHistory {
 public:
  static constexpr std::size_t kMostSteps = 200;

  // The program may have changed settings: there is nothing to undo in that.
  void follow(const AppState& app);
  // The user may have changed settings. While `changing`, as a slider is held or a field is typed
  // in, all changes are one step.
  void note(const AppState& app, bool changing);

  // Both return what was undone or done again; empty: there was nothing.
  std::string undo(AppState& app);
  std::string redo(AppState& app);

  const std::deque<SettingsStep>& done() const { return done_; }       // oldest first
  const std::vector<SettingsStep>& undone() const { return undone_; }  // the next to be redone last

 private:
  UserSettings now_;
  bool open_ = false;  // the newest step goes on
  std::deque<SettingsStep> done_;
  std::vector<SettingsStep> undone_;
};

}  // namespace dispersion
