#include "app/session/experiment_states.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/session/app_state.h"
#include "app/session/state_order.h"

namespace dispersion {
namespace {

// Seconds for which settings must be the same before an experiment begins.
constexpr double kRest = 0.15;
// The pause between two experiments of a head that is being trained: at least so many seconds, and
// at least so many times as long as the last experiment took, times the experiments on screen.
constexpr double kPause = 0.4;
constexpr double kPauseShare = 1.5;
constexpr double kHeadPatience = 4;  // seconds after which a result of an older head is stale

// The settings, with the temperature of the main view where a setting follows it.
SettingValues values_of(View view, const AppState& app) {
  SettingValues values = app.experiment_settings.of(view);
  for (const Setting& setting : experiment_in(view).settings) {
    if (setting.of_view) values.set(setting.name, app.view.theta);
  }
  return values;
}

bool takes_open_head(const Experiment& experiment, const SettingValues& values) {
  return experiment.takes_head(values) && experiment.heads != HeadUse::kAll;
}

// What a run with these settings kept when it was stopped; null or empty at the first run.
std::shared_ptr<std::any> unfinished_of(UnfinishedRuns& runs, std::string_view name,
                                        const std::string& settings) {
  UnfinishedRun& kept = runs[name];
  if (!kept.run || kept.settings != settings) kept = {settings, std::make_shared<std::any>()};
  return kept.run;
}

void ask(ExperimentState& state, ExperimentRequest plan, View view, ExperimentWorker& worker,
         Urgency urgency) {
  ++state.asked;
  if (state.asked_key != plan.key || state.key_since == 0) state.key_since = state.asked;
  state.asked_key = plan.key;
  state.asked_head = plan.head;
  state.asked_run = plan.run;
  state.update = {.id = state.asked};
  state.held = false;
  worker.request(view, state.asked, std::move(plan.job), urgency);
}

// When an experiment of a newer head may begin; `on_screen`: of so many.
double next_live(const ExperimentState& state, std::size_t on_screen) {
  const double share = kPauseShare * static_cast<double>(on_screen);
  return state.result_at + std::max(kPause, share * state.update.seconds);
}

void press_buttons(ExperimentState& state, View view, ExperimentWorker& worker) {
  if (!std::exchange(state.stop, false)) return;
  worker.stop(view);
  state.held = true;
}

// Requests the experiment of one view, as update_experiments() does; `on_screen`: of so many.
double update_experiment(View view, std::size_t on_screen, AppState& app, ExperimentWorker& worker,
                         double now) {
  ExperimentState& state = app.experiments.of(view);
  press_buttons(state, view, worker);
  ExperimentRequest plan = app.experiments.make_request(view, app);
  if (state.seen_key != plan.key) {
    state.seen_key = plan.key;
    state.seen_since = now;
  }
  const bool other_settings = plan.key != state.asked_key;
  const bool other_head = plan.head != state.asked_head;
  const bool was_stale = state.stale;
  state.of_other_run = state.result && state.result_run != plan.run;
  state.stale = other_settings || state.result_id < state.key_since || state.of_other_run ||
                (other_head && now > state.result_at + kHeadPatience);
  // The picture that is shown was drawn before this was known.
  const double again = state.stale == was_stale ? -1 : now;
  if (!plan.job) return again;
  if (std::exchange(state.go, false) || state.asked == 0) {
    ask(state, std::move(plan), view, worker, Urgency::kAtOnce);
    return again;
  }
  if (other_settings) {
    const double due = state.seen_since + kRest;
    if (now < due) return due;
    ask(state, std::move(plan), view, worker, Urgency::kAtOnce);
    return again;
  }
  if (plan.run != state.asked_run && !state.held) {
    ask(state, std::move(plan), view, worker, Urgency::kAtOnce);
    return again;
  }
  const bool follow = other_head && !state.held && !state.busy();
  if (!follow) return again;
  const double due = next_live(state, on_screen);
  if (now < due) return due;
  ask(state, std::move(plan), view, worker, Urgency::kInTurn);
  return again;
}

// The attention view has no experiment, but its state can be ordered for figures.
void update_state_order(AppState& app, ExperimentWorker& worker) {
  ExperimentState& state = app.experiments.of(View::kAttention);
  press_buttons(state, View::kAttention, worker);
  if (!state.go || !can_order_state(app)) return;
  state.go = false;
  app.exporting.order = std::make_shared<StateOrder>(order_state(app));
  ask(state, state_request(*app.exporting.order, *app.requested), View::kAttention, worker,
      Urgency::kAtOnce);
}

}  // namespace

ExperimentSettings::ExperimentSettings() {
  values_.emplace_back();  // the attention view has settings of its own
  for (const Experiment& experiment : experiments())
    values_.emplace_back(experiment.settings, SettingUse::kPicture);
}

ExperimentRequest make_request(View view, const AppState& app) {
  const Experiment& experiment = experiment_in(view);
  const SettingValues values = values_of(view, app);
  const bool of_head = takes_open_head(experiment, values);
  ExperimentRequest request;
  request.key = values.text();
  if (experiment.of_backend) request.key.append(" ").append(backend_name(app.status.computing));
  if (of_head) request.head = app.head.version;
  if (of_head) request.run = app.head.open_run;
  const bool of_shipped = experiment.heads == HeadUse::kAll || experiment.histories;
  if ((of_shipped && !app.shipped) || (of_head && !app.head.state)) return request;
  const ExperimentHead open = {app.status.head_source, app.status.recipe, app.head.state,
                               app.status.has_run, app.status.steps_before};
  request.job = [&experiment, values, of_head, open, shipped = app.shipped,
                 unfinished = app.unfinished,
                 settings = request.key](ExperimentBackends& backends, const Progress& progress,
                                         const ShowFigure& show) {
    ExperimentInputs inputs;
    if (experiment.heads == HeadUse::kAll) inputs.heads = shipped->heads;
    if (experiment.histories) inputs.histories = shipped->histories;
    if (of_head) inputs.heads = {open};
    if (shipped) inputs.stored = shipped->stored;
    if (unfinished) inputs.unfinished = unfinished_of(*unfinished, experiment.name, settings);
    return run_experiment(experiment, values, inputs, backends, progress, show);
  };
  return request;
}

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
    if (update->id != state.asked) continue;  // of an older request
    if (update->result) {
      state.result = update->result;
      state.result_id = update->id;
      state.result_run = state.asked_run;
      state.result_complete = update->phase == ExperimentPhase::kDone;
    }
    if (update->phase == ExperimentPhase::kDone) state.result_at = now;
    state.update = *std::move(update);
  }
  return any;
}

double update_experiments(AppState& app, ExperimentWorker& worker, double now) {
  std::vector<View> views = shown_views(app.view);
  worker.use(app.status.computing);
  worker.show(views);
  if (std::erase(views, View::kAttention) > 0) update_state_order(app, worker);
  if (!app.experiments.make_request) return -1;
  double again = -1;
  for (const View view : views) {
    const double at = update_experiment(view, views.size(), app, worker, now);
    if (at >= 0) again = again < 0 ? at : std::min(again, at);
  }
  return again;
}

}  // namespace dispersion
