#include "app/panels/actions.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/experiment/size_table.h"

namespace dispersion {
namespace {

constexpr std::int64_t kFurtherSteps = 100'000;
constexpr double kMotionSeconds = 0.25;

// Whether the first Play on this head is left to the worker: one without moments is trained from
// step 0 on, whatever step it is said to be of. Once a run has ended, Play asks for more.
bool first_play(const AppState& app) {
  return app.history.empty() && app.status.phase != RunPhase::kFinished;
}

// "500", or "100000-plus500" of weights that were trained before this run.
std::string steps_in_name(const RunStatus& status) {
  const std::string steps = std::to_string(status.step);
  if (status.steps_before == 0) return steps;
  return std::to_string(status.steps_before) + "-plus" + steps;
}

}  // namespace

void play_or_pause(AppState& app, Session& session) {
  if (app.status.phase == RunPhase::kTraining) {
    session.send(PauseCommand{});
    return;
  }
  if (!first_play(app) && app.run.stop_at <= app.status.step) {
    app.run.stop_at = app.status.step + kFurtherSteps;
  }
  session.send(PlayCommand{app.run.stop_at});
}

void single_step(Session& session) {
  session.send(StepCommand{});
}

void bring_back(Session& session) {
  session.send(BringBackCommand{});
}

void rewind(Session& session) {
  session.send(RewindCommand{});
}

void new_seed(AppState& app, Session& session) {
  app.run.seed = app.status.seed + 1;
  app.run.recipe = app.status.recipe;
  session.send(NewRunCommand{app.run.recipe, app.run.seed});
}

void start_run(AppState& app, Session& session) {
  session.send(NewRunCommand{app.run.recipe, app.run.seed});
}

bool recipe_changed(const AppState& app) {
  return !(app.run.recipe == app.status.recipe) || app.run.seed != app.status.seed;
}

void follow_run(AppState& app, PanelState& state) {
  if (app.status.backend.empty()) return;  // nothing heard yet
  RunSettings& seen = state.run_seen;
  if (seen.recipe == app.status.recipe && seen.seed == app.status.seed) return;
  const bool untouched = app.run.recipe == seen.recipe && app.run.seed == seen.seed;
  seen.recipe = app.status.recipe;
  seen.seed = app.status.seed;
  if (!untouched) return;
  app.run.recipe = seen.recipe;
  app.run.seed = seen.seed;
}

int size_index(int items) {
  const std::vector<int> sizes = doubling_sizes();
  const auto found = std::ranges::find(sizes, items);
  return found == sizes.end() ? -1 : static_cast<int>(found - sizes.begin());
}

void focus_items(AppState& app, PanelState& state, int items) {
  if (items == app.view.focused_items || size_index(items) < 0) return;
  state.motion = {app.view.focused_items, items, state.painter.now};
  state.painter.animate(kMotionSeconds + 0.05);
  app.view.focused_items = items;
}

void double_items(AppState& app, PanelState& state, int steps) {
  const std::vector<int> sizes = doubling_sizes();
  const int last = static_cast<int>(sizes.size()) - 1;
  const int index = std::clamp(size_index(app.view.focused_items) + steps, 0, last);
  focus_items(app, state, sizes[static_cast<std::size_t>(index)]);
}

void fit_plots(AppState& app) {
  if (app.view.view != View::kAttention) {
    app.zooms.erase(std::string(view_figure(app.view.view)));
    return;
  }
  app.zooms.erase(kCurvesFigure);
  app.zooms.erase(kRunFigure);
}

void ask_for_path(const AppState& app, PathEntry& entry, PathEntry::Purpose purpose) {
  entry = {};
  entry.purpose = purpose;
  entry.focus = true;
  std::string text = "~/";  // the bar takes it for the home folder
  if (purpose == PathEntry::Purpose::kSave) {
    text += "head-seed" + std::to_string(app.status.seed) + "-step" + steps_in_name(app.status) +
            ".safetensors";
  }
  std::copy_n(text.data(), std::min(text.size(), entry.text.size() - 1), entry.text.data());
}

double motion_share(const PanelState& state) {
  const double share = (state.painter.now - state.motion.started) / kMotionSeconds;
  const double t = std::clamp(share, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

}  // namespace dispersion
