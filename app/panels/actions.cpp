#include "app/panels/actions.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/data_table_panel.h"
#include "app/panels/input_fields.h"
#include "app/panels/path_entry.h"
#include "app/session/describe.h"
#include "app/session/run_status.h"
#include "app/session/state_string.h"
#include "app/session/training_stop.h"
#include "app/session/user_files.h"
#include "app/window/desktop_programs.h"
#include "core/build_info.h"
#include "core/experiment/size_table.h"
#include "core/figure/figure.h"

namespace dispersion {
namespace {

constexpr double kMotionSeconds = 0.25;  // of the outline around the focused frames

// The folder in which the user was last, or the home folder.
std::filesystem::path usual_folder(const AppState& app) {
  const auto last = std::ranges::find(app.files.recent, true, &RecentFile::there);
  if (last != app.files.recent.end()) return last->path.parent_path();
  const std::filesystem::path home = home_folder();
  return home.empty() ? "/" : home;
}

// Opens the new run; the fields become these as a part of the step to it.
void begin_run(AppState& app, Session& session, const NewRunCommand& command,
               const RunSettings& fields) {
  session.send(command);
  app.undo.hold(fields, session.commands_sent());
}

// The steps in the suggested name of a file: "500", or "100000-plus500" when the run began with
// weights that had been trained before.
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
  // After the step at which training was to stop, Play trains on.
  const std::int64_t stop = next_stop(app);
  if (stop != training_stop(app)) app.further_stop = stop;
  session.send(PlayCommand{stop});
}

void single_step(Session& session) {
  session.send(StepCommand{});
}

void copy_state(AppState& app, PanelState& state) {
  copy_text(state.painter, "state", state_string(app));
  if (head_is_kept(app)) return;
  const std::string head = seed_and_step(*app.head.state, app.status.steps_before);
  add_report(app, {.ok = true,
                   .text = "the head of the copied state (" + head +
                           ") is not saved: elsewhere it is trained again, where its first weights "
                           "are at hand. A bookmark or a saved file keeps it as it is."});
}

void paste_state(AppState& app, Session& session) {
  const char* text = ImGui::GetClipboardText();
  open_state(app, session, text == nullptr ? "" : text);
}

void bring_back(Session& session) {
  session.send(BringBackCommand{});
}

void rewind(Session& session) {
  session.send(RewindCommand{});
}

void new_seed(AppState& app, Session& session) {
  const std::uint32_t seed = app.status.seed + 1;
  RunSettings fields = app.run;
  if (fields.seed == app.status.seed) fields.seed = seed;
  begin_run(app, session, {app.status.recipe, seed}, fields);
}

void halve_learning_rate(AppState& app, Session& session) {
  Recipe recipe = app.status.recipe;
  recipe.learning_rate /= 2;
  RunSettings fields = app.run;
  if (fields.recipe.learning_rate == app.status.recipe.learning_rate)
    fields.recipe.learning_rate = recipe.learning_rate;
  begin_run(app, session, {recipe, app.status.seed}, fields);
}

void start_run(AppState& app, Session& session) {
  begin_run(app, session, {app.run.recipe, app.run.seed}, app.run);
}

bool recipe_changed(const AppState& app) {
  return !(app.run.recipe == app.status.recipe) || app.run.seed != app.status.seed;
}

void follow_run(AppState& app, PanelState& state) {
  if (app.status.backend.empty()) return;  // the worker has not reported yet
  RunSettings& seen = state.run_seen;
  if (seen.recipe == app.status.recipe && seen.seed == app.status.seed) return;
  const bool untouched = app.run.recipe == seen.recipe && app.run.seed == seen.seed;
  seen.recipe = app.status.recipe;
  seen.seed = app.status.seed;
  if (!untouched) return;
  app.run.recipe = seen.recipe;
  app.run.seed = seen.seed;
}

void stop_at(AppState& app, Session& session, std::int64_t step) {
  app.run.stop_at = step;
  app.further_stop = 0;
  if (app.status.phase == RunPhase::kTraining) session.send(PlayCommand{step});
}

void show_field(AppState& app, PanelState& state, const std::string& label) {
  show_view(app.view, View::kAttention);
  state.page = Page::kControls;
  state.column_shows_focused_size = false;
  state.painter.wanted_field = label;
}

void show_experiment_field(AppState& app, PanelState& state, View view, const std::string& label) {
  show_view(app.view, view);
  state.experiment_settings = true;
  state.painter.wanted_field = label;
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

void toggle_tables(PanelState& state) {
  if (!state.tables) state.tables = std::make_shared<DataTables>();
  state.tables->toggle_all();
}

void ask_for_path(const AppState& app, PathEntry& entry, PathEntry::Purpose purpose) {
  entry = {};
  entry.purpose = purpose;
  entry.focus.wanted = true;
  std::string name;
  if (purpose == PathEntry::Purpose::kSave) {
    name = "head" +
           (app.status.has_run
                ? "-seed" + std::to_string(app.status.seed) + "-step" + steps_in_name(app.status)
                : std::string()) +
           ".safetensors";
  }
  set_entry(entry, usual_folder(app), name);
}

void open_saved_folder(AppState& app) {
  if (app.saved.empty()) return;
  const std::string trouble = open_folder(app.saved.parent_path());
  if (!trouble.empty()) add_report(app, {false, trouble});
}

std::string everything_shown(const AppState& app, const PanelState& state) {
  const std::string rows = selected_rows_text(state);
  return rows.empty() ? describe(app) : rows;
}

void reset_layout(AppState& app, PanelState& state) {
  app.view.ui_scale = 1;
  app.view.projector = false;
  set_shape(app.view, GridShape::kOne);
  state.page = Page::kAttention;
  state.experiment_settings = false;
  state.column_shows_focused_size = false;
  state.reset_place = true;
}

double motion_share(const PanelState& state) {
  const double share = (state.painter.now - state.motion.started) / kMotionSeconds;
  const double t = std::clamp(share, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

}  // namespace dispersion
