#include "app/session/export_figures.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "app/session/app_state.h"
#include "app/session/compared_snapshots.h"
#include "app/session/figure_states.h"
#include "app/session/state_order.h"

namespace dispersion {
namespace {

// Whether the figures that were taken are of one state of the attention view.
bool of_one_state(const AppState& app) {
  return app.exporting.view == View::kAttention;
}

bool experiment_unfinished(const ExperimentState& state) {
  if (state.held || state.update.phase == ExperimentPhase::kFailed) return false;
  return state.stale || (state.busy() && !state.result_complete);
}

// What was ordered when the figures were taken.
bool being_computed(const AppState& app) {
  if (pinned_unfinished(app, app.exporting.view)) return true;
  const ExperimentState& state = app.experiments.of(app.exporting.view);
  return of_one_state(app) ? state.go || state.busy() : experiment_unfinished(state);
}

// Where nothing was ordered, only A was waited for.
std::vector<FigureSnapshot> finished_figures(const AppState& app) {
  const ExportState& exporting = app.exporting;
  if (!of_one_state(app) || !exporting.order) return figure_snapshots(app, exporting.view);
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

std::string_view part_figure(AttentionPart part) {
  if (part == AttentionPart::kCurves) return kSizesName;
  return part == AttentionPart::kTraining ? kTrainingName : kMapsName;
}

// Which of the attention view's figures the window shows of it, that of the pane in focus first.
std::size_t part_on_screen(const AppState& app, const std::vector<FigureSnapshot>& figures) {
  std::vector<std::size_t> panes = shown_panes(app.view.grid);
  panes.insert(panes.begin(), app.view.grid.focused);
  for (const std::size_t index : panes) {
    const Pane pane = pane_at(app.view, index);
    if (pane.view != View::kAttention) continue;
    const auto found = std::ranges::find(
        figures, part_figure(pane.part),
        [](const FigureSnapshot& figure) { return std::string_view(figure.name); });
    if (found != figures.end()) return static_cast<std::size_t>(found - figures.begin());
  }
  return 0;
}

// Puts those of the view in the place of those that were taken before.
void put_figures(AppState& app, View view, std::vector<FigureSnapshot> figures) {
  ExportState& exporting = app.exporting;
  exporting.view = view;
  exporting.figures = std::move(figures);
  add_states(app, exporting.figures);
  exporting.chosen = of_one_state(app) ? part_on_screen(app, exporting.figures) : 0;
  ++exporting.figures_taken;
  exporting.waiting = !exporting.figures.empty() && figures_unfinished(app, view);
  exporting.order.reset();
  // While only A is waited for, the present state needs no order.
  if (of_one_state(app))
    app.experiments.of(View::kAttention).go = exporting.waiting && mixes_states(app);
}

}  // namespace

bool take_figures(AppState& app) {
  ExportState& exporting = app.exporting;
  if (exporting.open) return true;
  exporting.views = shown_views(app.view);
  put_figures(app, app.view.view, figure_snapshots(app, app.view.view));
  if (!exporting.figures.empty()) return true;
  add_report(app, {false, "There is no figure yet: it is still being computed."});
  return false;
}

bool take_other_figures(AppState& app, View view) {
  std::vector<FigureSnapshot> figures = figure_snapshots(app, view);
  if (figures.empty()) return false;
  drop_order(app);
  app.experiments.of(View::kAttention).go = false;
  put_figures(app, view, std::move(figures));
  return true;
}

bool figures_unfinished(const AppState& app, View view) {
  return pinned_unfinished(app, view) ||
         (view == View::kAttention ? mixes_states(app)
                                   : experiment_unfinished(app.experiments.of(view)));
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
  const ExperimentUpdate& update = app.experiments.of(exporting.view).update;
  if (update.phase != ExperimentPhase::kFailed) return false;
  exporting.notice = "The figures could not be finished: " + update.error;
  exporting.notice_good = false;
  return false;
}

}  // namespace dispersion
