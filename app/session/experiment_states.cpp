#include "app/session/experiment_states.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/session/app_state.h"
#include "app/session/experiment_worker.h"

namespace dispersion {
namespace {

constexpr double kRest = 0.15;       // seconds that settings must rest before an experiment begins
constexpr double kPause = 0.4;       // between two experiments of a head that trains, at least
constexpr double kPauseShare = 1.5;  // and so many times as long as the last one took
constexpr double kHeadPatience = 4;  // seconds after which a picture of an older head is called old

void ask(ExperimentState& state, ExperimentRequest plan, View view, ExperimentWorker& worker) {
  ++state.asked;
  if (state.asked_key != plan.key || state.key_since == 0) state.key_since = state.asked;
  state.asked_key = plan.key;
  state.asked_head = plan.head;
  state.update = {.id = state.asked};
  state.held = false;
  worker.request(view, state.asked, std::move(plan.job));
}

// When an experiment may follow a head that has moved on.
double next_live(const ExperimentState& state) {
  return state.result_at + std::max(kPause, kPauseShare * state.update.seconds);
}

void press_buttons(ExperimentState& state, View view, ExperimentWorker& worker) {
  if (!std::exchange(state.stop, false)) return;
  worker.stop(view);
  state.held = true;
}

}  // namespace

bool ExperimentState::busy() const {
  return !held && asked > 0 &&
         (update.phase == ExperimentPhase::kWaiting || update.phase == ExperimentPhase::kRunning);
}

bool receive_experiments(AppState& app, ExperimentWorker& worker, double now) {
  bool any = false;
  for (const View view : app.experiments.views) {
    std::optional<ExperimentUpdate> update = worker.take_update(view);
    if (!update) continue;
    any = true;
    ExperimentState& state = app.experiments.of(view);
    if (update->id != state.asked) continue;  // of settings that nobody has any more
    if (update->result) {
      state.result = update->result;
      state.result_id = update->id;
    }
    if (update->phase == ExperimentPhase::kDone) state.result_at = now;
    state.update = *std::move(update);
  }
  return any;
}

double update_experiments(AppState& app, ExperimentWorker& worker, double now) {
  const View view = app.view.view;
  worker.use(app.status.computing);
  worker.bring_to_front(view);
  if (view == View::kAttention || !app.experiments.make_request) return -1;
  ExperimentState& state = app.experiments.of(view);
  press_buttons(state, view, worker);
  ExperimentRequest plan = app.experiments.make_request(view, app);
  if (state.seen_key != plan.key) {
    state.seen_key = plan.key;
    state.seen_since = now;
  }
  const bool other_settings = plan.key != state.asked_key;
  const bool other_head = plan.head != state.asked_head;
  state.stale = other_settings || state.result_id < state.key_since ||
                (other_head && now > state.result_at + kHeadPatience);
  if (!plan.job) return -1;
  if (std::exchange(state.go, false) || state.asked == 0) {
    ask(state, std::move(plan), view, worker);
    return -1;
  }
  if (other_settings) {
    const double due = state.seen_since + kRest;
    if (now < due) return due;
    ask(state, std::move(plan), view, worker);
    return -1;
  }
  const bool follow = other_head && !state.held && !state.busy();
  if (!follow) return -1;
  const double due = next_live(state);
  if (now < due) return due;
  ask(state, std::move(plan), view, worker);
  return -1;
}

}  // namespace dispersion
