#include "app/panels/actions.h"
#include "app/panels/actions_table.h"
#include "app/panels/panels.h"
#include "app/session/training_stop.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr const char* kGroup = "Training";

// That Play moves the step at which training was to stop.
std::string going_on_text(const AppState& app) {
  const std::int64_t stop = training_stop(app);
  if (app.status.phase == RunPhase::kTraining || next_stop(app) == stop) return "";
  return " Step " + grouped_text(stop) + ", where it was to stop, is reached: it goes on to step " +
         grouped_text(next_stop(app)) + ".";
}

void add_backends(std::vector<Action>& all, const AppState& app) {
  if (app.status.backend.empty()) return;  // the worker has not reported yet
  for (const BackendChoice& choice : backend_choices(app.status)) {
    const std::string text = choice_text(choice);
    all.push_back({.id = "backend." + text,
                   .group = kGroup,
                   .name = "Backend: " + text,
                   .help = "What trains the head and computes the pictures.",
                   .act = [choice](const Actor& a) { a.session.send(UseBackendCommand{choice}); },
                   .value = choice == app.status.choice ? "chosen" : ""});
  }
}

}  // namespace

void add_run_actions(std::vector<Action>& all, const AppState& app, const PanelState&) {
  const bool training = app.status.phase == RunPhase::kTraining;
  const Recipe& recipe = app.status.recipe;
  all.push_back({.id = "run.play",
                 .group = kGroup,
                 .name = "Play or pause training",
                 .help = "Trains the head on fresh sets of " + std::to_string(recipe.smallest_set) +
                         " to " + std::to_string(recipe.largest_set) +
                         " items, with this window watching." + going_on_text(app),
                 .chords = {ImGuiKey_Space},
                 .act = [](const Actor& a) { play_or_pause(a.app, a.session); },
                 .value = training ? "training" : "paused"});
  all.push_back({.id = "run.step",
                 .group = kGroup,
                 .name = "One training step",
                 .chords = {ImGuiKey_S},
                 .act = [](const Actor& a) { single_step(a.session); }});
  all.push_back({.id = "run.rewind",
                 .group = kGroup,
                 .name = "Rewind to the start of the run",
                 .help = "Back to the weights this run began with.",
                 .chords = {ImGuiKey_R},
                 .act = [](const Actor& a) { rewind(a.session); }});
  all.push_back({.id = "run.new_seed",
                 .group = kGroup,
                 .name = "New run with the next seed",
                 .help = "A new run with fresh weights and other random sets: seed + 1.",
                 .chords = {ImGuiKey_N},
                 .act = [](const Actor& a) { new_seed(a.app, a.session); }});
  all.push_back({.id = "run.halve",
                 .group = kGroup,
                 .name = "Halve learning rate",
                 .help = "Starts this run anew with half its learning rate.",
                 .act = [](const Actor& a) { halve_learning_rate(a.app, a.session); },
                 .available = app.status.phase == RunPhase::kDiverged});
  all.push_back({.id = "run.bring_back",
                 .group = kGroup,
                 .name = "Bring back the run before",
                 .help = "The run that was open before, as it stood, with its curves; again for "
                         "the one before that. This one is set aside.",
                 .act = [](const Actor& a) { bring_back(a.session); },
                 .available = !app.status.set_aside.empty(),
                 .value = app.status.set_aside});
  all.push_back(
      {.id = "run.stop_at",
       .group = kGroup,
       .name = "Stop at step",
       .help = "Training pauses by itself after this step. The paper trains 100\u2009000.",
       .act = [](const Actor& a) { show_field(a.app, a.state, "stop at step"); },
       .value = grouped_text(training_stop(app)),
       .number = ActionNumber{1, kLargestStop, true,
                              [](const Actor& a, double step) {
                                stop_at(a.app, a.session, static_cast<std::int64_t>(step));
                              },
                              true}});
  add_backends(all, app);
}

}  // namespace dispersion
