#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/session/experiment_worker.h"

namespace dispersion {

struct AppState;

// The user's settings of each experiment.
class ExperimentSettings {
 public:
  ExperimentSettings();  // as a new window has them
  SettingValues& of(View view) { return values_[static_cast<std::size_t>(view)]; }
  const SettingValues& of(View view) const { return values_[static_cast<std::size_t>(view)]; }

  bool operator==(const ExperimentSettings&) const = default;

 private:
  std::vector<SettingValues> values_;  // [views]
};

// The experiment of a view with the present settings and the present head.
struct ExperimentRequest {
  std::string key;         // equal for requests whose results are equal, given the same head
  std::uint64_t head = 0;  // version of the head that it is computed from; 0: no head
  ExperimentJob job;       // null: not possible yet, e.g. before the first head has come
  std::uint64_t run = 0;   // of that head, as RunStatus::open_run
};
ExperimentRequest make_request(View view, const AppState& app);

// make_request(), or what stands in for it in a test.
using MakeRequest = std::function<ExperimentRequest(View, const AppState&)>;

// What the window knows about the experiment of one view.
struct ExperimentState {
  std::uint64_t asked = 0;  // id of the newest request; 0: none
  std::string asked_key;    // of that request
  std::uint64_t asked_head = 0;
  std::uint64_t asked_run = 0;
  std::uint64_t key_since = 0;  // id of the first request with asked_key

  ExperimentUpdate update;                         // the newest one
  std::shared_ptr<const ExperimentResult> result;  // the newest one, perhaps partial; null: none
  std::uint64_t result_id = 0;                     // of the request of `result`
  std::uint64_t result_run = 0;                    // the run of its head
  bool result_complete = false;                    // `result` is not that of a part of the work
  double result_at = 0;                            // when the newest complete result came

  std::string seen_key;   // the key with the present settings
  double seen_since = 0;  // since when that key has been the same
  bool held = false;      // the user stopped the experiment: no request before `go`
  bool stop = false;      // buttons: set by panels, taken by update_experiments()
  bool go = false;

  bool busy() const;  // an experiment is running or waits to run
  // The result is of other settings, of another run's head, or of an older head for longer than is
  // usual in training.
  bool stale = false;
  bool of_other_run = false;  // it is of another run's head
};

struct ExperimentStates {
  MakeRequest make_request;  // null: nothing is computed
  std::vector<View> views;   // of the window, in order; the attention view is always one of them
  std::vector<ExperimentState> state = std::vector<ExperimentState>(view_count());

  ExperimentState& of(View view) { return state[static_cast<std::size_t>(view)]; }
  const ExperimentState& of(View view) const { return state[static_cast<std::size_t>(view)]; }
};

// Takes the updates of the experiments into the app state. Returns whether there were any.
bool receive_experiments(AppState& app, ExperimentWorker& worker, double now);

// Requests the experiments of the views on screen whose results would be other ones: after other
// settings, once they have been the same for a moment; with the head of another run, at once; after
// a new step of the head, once the experiment before is finished, with pauses that leave training
// most of the time. Experiments run on the backend of the training. Returns the time at which the
// window must be drawn and this called again; < 0: no such time.
double update_experiments(AppState& app, ExperimentWorker& worker, double now);

}  // namespace dispersion
