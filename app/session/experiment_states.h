#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/session/experiment_worker.h"

namespace dispersion {

struct AppState;

// What a view's experiment would be, as things are set now.
struct ExperimentRequest {
  std::string key;         // what it depends on, apart from the head: equal keys, equal results
  std::uint64_t head = 0;  // version of the head it follows as it trains; 0: none
  ExperimentJob job;       // null: cannot be made yet, e.g. before the first head has come
};
using MakeRequest = std::function<ExperimentRequest(View, const AppState&)>;

// The experiment of one view as the window knows it.
struct ExperimentState {
  std::uint64_t asked = 0;  // id of the newest request; 0: none
  std::string asked_key;
  std::uint64_t asked_head = 0;
  std::uint64_t key_since = 0;  // id of the first request with asked_key

  ExperimentUpdate update;                         // newest, of any request
  std::shared_ptr<const ExperimentResult> result;  // newest there is; null: none yet
  std::uint64_t result_id = 0;                     // of its request
  double result_at = 0;                            // when it came

  std::string seen_key;  // of the last frame, and since when it has been so
  double seen_since = 0;
  bool held = false;  // the user stopped it: nothing is asked for before `go`
  bool stop = false;  // buttons: set by panels, taken by update_experiments
  bool go = false;

  bool busy() const;  // something is being computed, or waits for it
  // The result is of other settings, or of another head for longer than it should take.
  bool stale = false;
};

struct ExperimentStates {
  MakeRequest make_request;  // null: nothing is computed
  std::vector<View> views;   // those there are, in order; the attention view is always one
  std::vector<ExperimentState> state = std::vector<ExperimentState>(view_count());

  ExperimentState& of(View view) { return state[static_cast<std::size_t>(view)]; }
  const ExperimentState& of(View view) const { return state[static_cast<std::size_t>(view)]; }
};

// Takes the updates of the experiments into the app state. Returns whether there were any.
bool receive_experiments(AppState& app, ExperimentWorker& worker, double now);

// Has experiments computed where the training is. Asks for the experiment of the view in front
// where something it shows has changed: settings once they have rested a moment, the head when it
// moved and the experiment before is finished, with pauses that leave training most of the time.
// Returns when it wants to be called again; < 0: when it likes.
double update_experiments(AppState& app, ExperimentWorker& worker, double now);

}  // namespace dispersion
