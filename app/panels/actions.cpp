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
bool first_play(const Desk& desk) {
  return desk.history.empty() && desk.status.phase != RunPhase::kFinished;
}

// "500", or "100000-plus500" of weights that were trained before this run.
std::string steps_in_name(const RunStatus& status) {
  const std::string steps = std::to_string(status.step);
  if (status.steps_before == 0) return steps;
  return std::to_string(status.steps_before) + "-plus" + steps;
}

}  // namespace

void play_or_pause(Desk& desk, Session& session) {
  if (desk.status.phase == RunPhase::kTraining) {
    session.send(PauseCommand{});
    return;
  }
  if (!first_play(desk) && desk.run.stop_at <= desk.status.step) {
    desk.run.stop_at = desk.status.step + kFurtherSteps;
  }
  session.send(PlayCommand{desk.run.stop_at});
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

void new_seed(Desk& desk, Session& session) {
  desk.run.seed = desk.status.seed + 1;
  desk.run.recipe = desk.status.recipe;
  session.send(NewRunCommand{desk.run.recipe, desk.run.seed});
}

void start_run(Desk& desk, Session& session) {
  session.send(NewRunCommand{desk.run.recipe, desk.run.seed});
}

bool recipe_changed(const Desk& desk) {
  return !(desk.run.recipe == desk.status.recipe) || desk.run.seed != desk.status.seed;
}

void follow_run(Desk& desk, PanelState& state) {
  if (desk.status.backend.empty()) return;  // nothing heard yet
  RunSettings& seen = state.run_seen;
  if (seen.recipe == desk.status.recipe && seen.seed == desk.status.seed) return;
  const bool untouched = desk.run.recipe == seen.recipe && desk.run.seed == seen.seed;
  seen.recipe = desk.status.recipe;
  seen.seed = desk.status.seed;
  if (!untouched) return;
  desk.run.recipe = seen.recipe;
  desk.run.seed = seen.seed;
}

int size_index(int items) {
  const std::vector<int> sizes = doubling_sizes();
  const auto found = std::ranges::find(sizes, items);
  return found == sizes.end() ? -1 : static_cast<int>(found - sizes.begin());
}

void focus_items(Desk& desk, PanelState& state, int items) {
  if (items == desk.view.focused_items || size_index(items) < 0) return;
  state.motion = {desk.view.focused_items, items, state.painter.now};
  state.painter.animate(kMotionSeconds + 0.05);
  desk.view.focused_items = items;
}

void double_items(Desk& desk, PanelState& state, int steps) {
  const std::vector<int> sizes = doubling_sizes();
  const int last = static_cast<int>(sizes.size()) - 1;
  const int index = std::clamp(size_index(desk.view.focused_items) + steps, 0, last);
  focus_items(desk, state, sizes[static_cast<std::size_t>(index)]);
}

void ask_for_path(const Desk& desk, PathEntry& entry, PathEntry::Purpose purpose) {
  entry = {};
  entry.purpose = purpose;
  entry.focus = true;
  std::string text = "~/";  // the bar takes it for the home folder
  if (purpose == PathEntry::Purpose::kSave) {
    text += "head-seed" + std::to_string(desk.status.seed) + "-step" + steps_in_name(desk.status) +
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
