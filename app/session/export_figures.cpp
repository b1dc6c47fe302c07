#include "app/session/export_figures.h"

#include <algorithm>
#include <utility>

#include "app/session/app_state.h"
#include "app/session/compared_snapshots.h"
#include "app/session/figure_states.h"
#include "app/session/state_order.h"

namespace dispersion {
namespace {

bool of_one_state(const AppState& app) {
  return app.view.view == View::kAttention;
}

bool experiment_unfinished(const ExperimentState& state) {
  if (state.held || state.update.phase == ExperimentPhase::kFailed) return false;
  return state.stale || (state.busy() && !state.result_complete);
}

// What was ordered when the figures were taken.
bool being_computed(const AppState& app) {
  if (pinned_unfinished(app)) return true;
  const ExperimentState& state = app.experiments.of(app.view.view);
  return of_one_state(app) ? state.go || state.busy() : experiment_unfinished(state);
}

// Where nothing was ordered, only A was waited for.
std::vector<FigureSnapshot> finished_figures(const AppState& app) {
  const ExportState& exporting = app.exporting;
  if (!of_one_state(app) || !exporting.order) return figure_snapshots(app);
  const ExperimentState& state = app.experiments.of(View::kAttention);
  if (!state.result) return {};
  const ShownState ordered = ordered_state(*exporting.order, *state.result);
  if (!ordered.snapshot) return {};
  return app.comparison ? compared_attention(app, ordered) : attention_figures(ordered);
}

// The figure of the same name stays chosen.
void replace_figures(ExportState& exporting, std::vector<FigureSnapshot> figures) {
  if (figures.empty()) return;
  const std::string name = exporting.figure()->name;
  exporting.figures = std::move(figures);
  const auto same = std::ranges::find(exporting.figures, name, &FigureSnapshot::name);
  exporting.chosen = same == exporting.figures.end()
                         ? 0
                         : static_cast<std::size_t>(same - exporting.figures.begin());
  ++exporting.figures_taken;
}

// Returns whether there was one.
bool drop_order(AppState& app) {
  if (!app.exporting.order) return false;
  app.exporting.order.reset();
  ExperimentState& state = app.experiments.of(View::kAttention);
  state.stop = state.busy();
  return state.stop;
}

}  // namespace

bool take_figures(AppState& app) {
  ExportState& exporting = app.exporting;
  if (exporting.open) return true;
  exporting.figures = figure_snapshots(app);
  add_states(app, exporting.figures);
  exporting.chosen = 0;
  ++exporting.figures_taken;
  exporting.waiting = !exporting.figures.empty() && figures_unfinished(app);
  exporting.order.reset();
  // While only A is waited for, the present state needs no order.
  if (of_one_state(app))
    app.experiments.of(View::kAttention).go = exporting.waiting && mixes_states(app);
  if (!exporting.figures.empty()) return true;
  add_report(app, {false, "There is no figure yet: it is still being computed."});
  return false;
}

bool figures_unfinished(const AppState& app) {
  return pinned_unfinished(app) ||
         (of_one_state(app) ? mixes_states(app)
                            : experiment_unfinished(app.experiments.of(app.view.view)));
}

bool follow_figures(AppState& app) {
  ExportState& exporting = app.exporting;
  const bool unfinished_wanted = std::exchange(exporting.take_unfinished, false);
  if (!exporting.open || unfinished_wanted) exporting.waiting = false;
  if (!exporting.waiting) {
    app.experiments.of(View::kAttention).go = false;
    return drop_order(app);
  }
  if (being_computed(app)) return false;
  exporting.waiting = false;
  std::vector<FigureSnapshot> finished = finished_figures(app);
  add_states(app, finished);
  replace_figures(exporting, std::move(finished));
  exporting.order.reset();
  const ExperimentUpdate& update = app.experiments.of(app.view.view).update;
  if (update.phase != ExperimentPhase::kFailed) return false;
  exporting.notice = "The figures could not be finished: " + update.error;
  exporting.notice_good = false;
  return false;
}

}  // namespace dispersion
