#include "app/session/comparison.h"

#include <algorithm>
#include <utility>

#include "app/session/frame_at.h"
#include "app/session/head_name.h"
#include "app/session/pinned_picture.h"
#include "app/session/run_status.h"
#include "app/session/shipped_data.h"
#include "app/session/state_snapshot.h"
#include "app/session/state_string.h"
#include "app/session/user_settings.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

// What the worker that trains has computed of the experiments stays where it is complete.
void keep_complete_results(ExperimentStates& experiments) {
  for (ExperimentState& state : experiments.state) {
    const bool complete =
        state.result && !state.stale && state.update.phase == ExperimentPhase::kDone;
    if (!complete) state = {};
  }
}

// The state of this moment, at the newest copy of its head.
AppState frozen(const AppState& app) {
  AppState state = app;
  state.comparison.reset();
  state.presentation.reset();
  state.exporting = {};
  state.undo = {};
  state.unfinished = std::make_shared<UnfinishedRuns>();  // its worker is another one
  state.reports.clear();
  state.status.phase = RunPhase::kPaused;
  state.status.steps_per_second = 0;
  state.status.step = app.head.state->step;
  state.status.run = app.head.run;
  std::erase_if(state.history,
                [&](const StepRecord& record) { return record.step > state.status.step; });
  state.snapshot = picture_of_state(app);
  keep_complete_results(state.experiments);
  return state;
}

// Puts what decides the results of a state from one into another; how they are looked at stays.
void put_compared(const AppState& from, UserSettings& to) {
  to.view.theta = from.view.theta;
  to.view.rule = from.view.rule;
  to.view.choices = from.view.choices;
  to.experiments = from.experiment_settings;
}

// While a head is trained, the copy of it is some steps behind.
std::int64_t present_step(const AppState& state) {
  return state.status.run == state.head.run ? state.status.step : state.head.state->step;
}

// Whether the copy of the head is the head of the run.
bool copy_is_present(const AppState& state) {
  return state.head.state && state.status.run == state.head.run &&
         state.status.step == state.head.state->step;
}

std::string head_difference(const AppState& a, const AppState& b) {
  const bool same_copy = a.head.state == b.head.state ||
                         (a.head.version == b.head.version && a.head.run == b.head.run);
  const bool same = same_copy && copy_is_present(b);
  if (same || !a.head.state || !b.head.state) return "";
  const TrainingState& of_a = *a.head.state;
  const TrainingState& of_b = *b.head.state;
  std::string text;
  if (a.status.has_run && b.status.has_run) {
    if (of_a.seed != of_b.seed)
      text = "seed " + std::to_string(of_a.seed) + " → " + std::to_string(of_b.seed);
    const std::int64_t step_a = counted_step(a.status, of_a.step);
    const std::int64_t step_b = counted_step(b.status, present_step(b));
    if (step_a != step_b)
      text += (text.empty() ? "step " : ", step ") + grouped_text(step_a) + " → " +
              grouped_text(step_b);
    if (a.status.recipe != b.status.recipe) text += text.empty() ? "recipe" : ", recipe";
  }
  if (!text.empty()) return text;
  // A head that was left and came back is the same by another copy.
  const bool same_run =
      copy_is_present(b) && run_hash(a.status.recipe, of_a) == run_hash(b.status.recipe, of_b);
  return same_run ? "" : "another head";
}

// Ends the worker of what is no longer shown. What it has not finished is asked for again when it
// is shown again.
void rest(Comparison* comparison) {
  if (comparison == nullptr) return;
  comparison->swap_noted = false;
  comparison->head_to_come.clear();
  comparison->worker.reset();
  comparison->news = std::make_shared<ComparisonNews>();
  comparison->picture_asked = false;
  comparison->pairs_asked = nullptr;
  keep_complete_results(comparison->a.experiments);
}

// Whether the worker is to open another head than the one that is here.
bool head_is_to_come(const AppState& app) {
  return app.undo.awaits_run() || app.head.run != app.status.run;
}

// Whether what a view shows of both is as equal as their states are.
bool shows_both_alike(const AppState& app, View view) {
  const AppState& a = app.comparison->a;
  if (view == View::kAttention) {
    return a.snapshot && app.snapshot &&
           (a.snapshot == app.snapshot ||
            (is_final(*a.snapshot, a.head) && is_final(*app.snapshot, app.head)));
  }
  const ExperimentState& of_a = a.experiments.of(view);
  const ExperimentState& of_b = app.experiments.of(view);
  const auto settled = [](const ExperimentState& state) {
    return state.result && state.result_complete && !state.stale;
  };
  return settled(of_a) && settled(of_b);
}

ExperimentHead head_of(const AppState& state) {
  return {state.status.head_source, state.status.recipe, state.head.state, state.status.has_run,
          state.status.steps_before};
}

}  // namespace

bool pin(AppState& app) {
  if (!app.head.state) return false;
  auto comparison = std::make_shared<Comparison>();
  comparison->a = frozen(app);
  if (app.comparison) {
    comparison->difference = app.comparison->difference;
    comparison->shown = app.comparison->shown;
  } else if (is_shown(app.view, TransformId::kAdaptive)) {
    comparison->shown = TransformId::kAdaptive;
  }
  put_pinned({comparison, comparison->difference}, app);
  return true;
}

void unpin(AppState& app) {
  put_pinned({}, app);
}

PinnedState pinned_state(const AppState& app) {
  return {app.comparison, !app.comparison || app.comparison->difference};
}

void put_pinned(const PinnedState& pinned, AppState& app) {
  if (app.comparison != pinned.comparison) rest(app.comparison.get());
  app.comparison = pinned.comparison;
  if (app.comparison) app.comparison->difference = pinned.difference;
}

std::string pinned_text(const PinnedState& before, const PinnedState& after) {
  if (before == after) return "";
  if (before.comparison == after.comparison)
    return after.difference ? "B − A shown" : "B − A hidden";
  if (!before.comparison) return "A pinned";
  if (!after.comparison) return "A unpinned";
  // What was B is A now.
  const std::string heads = head_difference(after.comparison->a, before.comparison->a);
  return heads.empty() ? "A and B swapped" : "A and B swapped: " + heads;
}

void pin_or_unpin(AppState& app) {
  if (app.comparison) {
    unpin(app);
  } else {
    pin(app);
  }
}

bool shows_difference(const AppState& app) {
  return app.comparison && app.comparison->difference;
}

void show_difference(AppState& app, bool shown) {
  if (app.comparison) app.comparison->difference = shown;
}

void swap_states(AppState& app, Session& session) {
  const std::shared_ptr<Comparison> before = app.comparison;
  if (!before) return;
  if (head_is_to_come(app)) {
    before->swap_noted = !before->swap_noted;
    return;
  }
  if (!pin(app)) return;
  const AppState& a = before->a;
  UserSettings settings = user_settings(app);
  put_compared(a, settings);
  put_settings(settings, app);
  std::string& to_come = app.comparison->head_to_come;
  to_come = head_difference(app.comparison->a, a);
  if (to_come.empty()) return;
  auto only = std::make_shared<ShippedData>();
  only->heads = {head_of(a)};
  FindHeadCommand open;
  open.head = head_name(a);
  open.shipped = std::move(only);
  open.saved = a.status.saved;
  session.send(std::move(open));
  app.undo.join(session.commands_sent());
}

void swap_noted(AppState& app, Session& session) {
  if (!app.comparison || head_is_to_come(app)) return;
  app.comparison->head_to_come.clear();
  if (!std::exchange(app.comparison->swap_noted, false)) return;
  swap_states(app, session);
}

std::string state_text(const AppState& state) {
  if (!state.head.state) return "";
  return state.status.has_run ? seed_and_step(*state.head.state, state.status.steps_before)
                              : state.status.head_source;
}

std::string what_differs(const AppState& app) {
  if (!app.comparison) return "";
  const AppState& a = app.comparison->a;
  const UserSettings now = user_settings(app);
  UserSettings before = now;
  put_compared(a, before);
  const std::string& to_come = app.comparison->head_to_come;
  std::string text = to_come.empty() ? head_difference(a, app) : to_come + ", being opened";
  const std::string settings = difference_text(before, now);
  if (!text.empty() && !settings.empty()) text += "; ";
  return text + settings;
}

std::string present_text(const AppState& app) {
  if (!app.comparison) return "";
  std::string differs = what_differs(app);
  if (!differs.empty()) return differs;
  const bool alike = std::ranges::all_of(shown_views(app.view),
                                         [&](View view) { return shows_both_alike(app, view); });
  return alike ? "does not differ from A" : "head and settings of A";
}

bool is_at_pinned_state(const AppState& app) {
  const AppState& a = app.comparison->a;
  return app.head.state && head_difference(a, app).empty() &&
         computed_transforms(a.view) == computed_transforms(app.view);
}

std::vector<TransformId> compared_transforms(const AppState& app) {
  std::vector<TransformId> ids;
  for (const TransformDefinition* definition : transform_definitions()) {
    const bool of_a = app.comparison && is_shown(app.comparison->a.view, definition->id);
    if (of_a || is_shown(app.view, definition->id)) ids.push_back(definition->id);
  }
  return ids;
}

ComparedRows compared_rows_at(const AppState& app, TransformId id, int items) {
  const ComparedPairs* counted = present_pairs(app);
  const SizePair* pair = nullptr;
  if (counted != nullptr) {
    const auto found = std::ranges::find_if(counted->pairs, [&](const SizePair& each) {
      return each.items == items && each.id == id && each.sets > 0;
    });
    if (found != counted->pairs.end()) pair = &*found;
  }
  return {id, frame_at(app.comparison->a, items).row_under(id), frame_at(app, items).row_under(id),
          pair};
}

const ComparedPairs* present_pairs(const AppState& app) {
  const ComparedPairs* pairs = app.comparison ? app.comparison->pairs.get() : nullptr;
  const bool present = pairs != nullptr && pairs->run == app.status.run &&
                       pairs->transforms == computed_transforms(app.view) &&
                       app.status.step - pairs->step <= allowed_lag(app.status);
  return present ? pairs : nullptr;
}

std::string pinned_progress_text(const AppState& app, View view) {
  if (!app.comparison) return "";
  const AppState& a = app.comparison->a;
  const ExperimentState& state = a.experiments.of(view);
  const bool attention = view == View::kAttention;
  if (state.update.phase == ExperimentPhase::kFailed)
    return "A could not be computed: " + state.update.error;
  const bool done =
      attention ? a.snapshot && is_final(*a.snapshot, a.head) : state.result && !state.busy();
  if (done) return "";
  const double of_picture = a.snapshot ? picture_share(*a.snapshot) : 0;
  const double share = attention ? of_picture : state.update.share;
  return "A is being computed, " + fixed_text(100 * share, 0) + " %";
}

}  // namespace dispersion
