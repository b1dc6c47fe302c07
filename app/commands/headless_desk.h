#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "app/session/app_state.h"
#include "app/session/experiment_worker.h"
#include "app/session/session.h"

namespace dispersion {

// What the window does with a state, without the window: it is opened with its head and computed
// whole. Functions that wait are told by `go_on` whether to go on, which gets the share that is
// done; they return false after a stop. They throw std::runtime_error where the head of a state is
// not found, and where the view cannot be computed.
class HeadlessDesk {
 public:
  using GoOn = std::function<bool(double)>;

  // With the head in the file; empty: the one inside the program.
  explicit HeadlessDesk(const std::filesystem::path& checkpoint);

  AppState& app() { return app_; }

  // Opens the state. Empty: waits for the head of the desk.
  bool open(const std::string& state, const GoOn& go_on);
  // Pins a state as A beside the present one.
  bool pin(const std::string& state, const GoOn& go_on);
  // Computes all that the view in front shows.
  bool compute(const GoOn& go_on);

 private:
  void know_heads();
  bool wait_for_head(const HeadName& head, const GoOn& go_on);
  double computed_share();

  AppState app_;
  ExperimentWorker experiments_;
  Session session_;
  bool knows_heads_ = false;
};

}  // namespace dispersion
