#include "app/panels/experiment_controls.h"

#include <cmath>
#include <string>

#include "app/panels/experiment_settings_panel.h"
#include "app/panels/fields.h"
#include "app/panels/widgets.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

// Rounded so that it does not jump with every look.
std::string duration_text(double seconds) {
  if (seconds < 10) return fixed_text(seconds, 1) + " s";
  if (seconds < 90) return fixed_text(seconds, 0) + " s";
  return fixed_text(seconds / 60, seconds < 600 ? 1 : 0) + " min";
}

std::string left_text(double seconds) {
  if (seconds < 0) return "";
  if (seconds < 20) return ", about " + fixed_text(std::ceil(seconds), 0) + " s left";
  if (seconds < 90) return ", about " + fixed_text(5 * std::ceil(seconds / 5), 0) + " s left";
  return ", about " + fixed_text(std::ceil(seconds / 60), 0) + " min left";
}

void draw_buttons(ExperimentState& experiment, Painter& painter) {
  const float width = ImGui::GetContentRegionAvail().x;
  if (experiment.busy()) {
    if (push_button(painter, "Stop###experiment", ButtonKind::kPlain, width,
                    "Stops the computation. What is there already stays, and it goes on where it "
                    "can.")) {
      experiment.stop = true;
    }
    return;
  }
  const bool failed = experiment.update.phase == ExperimentPhase::kFailed;
  if (!experiment.held && !failed) return;
  if (push_button(painter, failed ? "Try again###experiment" : "Go on###experiment",
                  ButtonKind::kPrimary, width, ""))
    experiment.go = true;
}

}  // namespace

std::string experiment_progress_text(const ExperimentState& experiment) {
  const ExperimentUpdate& update = experiment.update;
  const std::string percent = fixed_text(std::floor(100 * update.share), 0) + " %";
  if (experiment.held) return "stopped at " + percent;
  switch (update.phase) {
    case ExperimentPhase::kWaiting:
      return experiment.asked == 0 ? "not begun" : "waiting";
    case ExperimentPhase::kRunning:
      return percent + left_text(update.seconds_left);
    case ExperimentPhase::kDone:
      return update.seconds < 0.1 ? "done" : "done, " + duration_text(update.seconds);
    case ExperimentPhase::kStopped:
      return "stopped at " + percent;
    case ExperimentPhase::kFailed:
      break;
  }
  return "failed";
}

void draw_experiment_controls(AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  ExperimentState& experiment = app.experiments.of(app.view.view);
  section_title(painter, view_title(app.view.view));
  flow_text(painter, TextStyle::kSmall, painter.palette->muted, view_help(app.view.view));
  gap(painter, 2);
  draw_experiment_settings(app, painter);
  gap(painter, 8);
  section_title(painter, "Computation");
  value_row(painter, {"state",
                      experiment_progress_text(experiment),
                      plain_number(experiment.update.share),
                      {},
                      "Experiments are computed beside the training, on a thread of their own.",
                      "as a share of 1"});
  progress_line(painter,
                experiment.update.phase == ExperimentPhase::kDone ? 1 : experiment.update.share);
  gap(painter, 2);
  draw_buttons(experiment, painter);
}

}  // namespace dispersion
