#include "app/panels/panels.h"

#include <cmath>
#include <string>

#include "app/panels/actions.h"
#include "app/panels/backend_field.h"
#include "app/panels/fields.h"
#include "app/panels/widgets.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr double kLargestStop = 1e9;

void draw_buttons(AppState& app, Session& session, Painter& painter) {
  const bool training = app.status.phase == RunPhase::kTraining;
  const float spacing = painter.px(6);
  const float whole = ImGui::GetContentRegionAvail().x;
  const float small = std::floor((whole - 3 * spacing) * 0.215F);
  const float seed = std::floor((whole - 3 * spacing) * 0.30F);
  const float play = whole - 3 * spacing - 2 * small - seed;
  ImGui::PushStyleVarX(ImGuiStyleVar_ItemSpacing, spacing);
  if (push_button(
          painter, training ? "Pause###play" : "Play###play", ButtonKind::kPrimary, play,
          "Trains the head on fresh sets of 5 to 16 items, with this window watching (space). "
          "Appendix A of the paper.")) {
    play_or_pause(app, session);
  }
  ImGui::SameLine();
  if (push_button(painter, "Step", ButtonKind::kPlain, small, "One training step (S).")) {
    single_step(session);
  }
  ImGui::SameLine();
  if (push_button(painter, "Rewind", ButtonKind::kPlain, small,
                  "Back to the weights this run began with (R).")) {
    rewind(session);
  }
  ImGui::SameLine();
  if (push_button(painter, "New seed", ButtonKind::kPlain, seed,
                  "A new run with fresh weights and other random sets: seed + 1 (N).")) {
    new_seed(app, session);
  }
  ImGui::PopStyleVar();
}

std::string number_or_dash(float value, int decimals) {
  return std::isfinite(value) && value > 0 ? compact_number(value, decimals) : "–";
}

void draw_stop_field(AppState& app, Session& session, Painter& painter) {
  double stop = static_cast<double>(app.run.stop_at);
  const NumberField field = {
      "stop at step", 1, kLargestStop, true,
      "Training pauses by itself after this step. The paper trains 100,000."};
  if (!number_field(painter, field, stop)) return;
  app.run.stop_at = static_cast<std::int64_t>(stop);
  if (app.status.phase == RunPhase::kTraining) session.send(PlayCommand{app.run.stop_at});
}

}  // namespace

void draw_training_panel(AppState& app, Session& session, PanelState& state) {
  Painter& painter = state.painter;
  const RunStatus& status = app.status;
  section_title(painter, "Training");
  draw_buttons(app, session, painter);
  gap(painter, 0);
  const bool trained_here = !app.history.empty();
  const std::string of = trained_here ? " of " + grouped_text(app.run.stop_at) : "";
  value_row(painter, {"step",
                      grouped_text(status.step) + of,
                      std::to_string(status.step),
                      {},
                      "Steps done in this run; one step is one batch and one update by Adam."});
  progress_line(
      painter,
      trained_here ? static_cast<double>(status.step) / static_cast<double>(app.run.stop_at) : 0);
  gap(painter, 2);
  const bool training = status.phase == RunPhase::kTraining;
  value_row(painter, {"speed",
                      training ? fixed_text(status.steps_per_second, 0) + " steps/s" : "–",
                      plain_number(status.steps_per_second),
                      {},
                      "Training steps per second, over the last second."});
  value_row(painter, {"loss",
                      number_or_dash(status.loss, 4),
                      plain_number(status.loss),
                      {},
                      "Cross-entropy in nats plus the L2 term, of the newest batch."});
  const std::string accuracy = trained_here ? number_or_dash(100 * status.accuracy, 1) + " %" : "–";
  value_row(painter, {"accuracy, n ≤ " + std::to_string(status.recipe.largest_set),
                      accuracy,
                      plain_number(status.accuracy),
                      {},
                      "Share of the newest training batches classified right, smoothed."});
  draw_stop_field(app, session, painter);
  draw_backend_field(app, session, state);
  if (status.set_aside.empty()) return;
  const std::string label = "Bring back " + status.set_aside + "###bring back";
  if (push_button(painter, label.c_str(), ButtonKind::kPlain, ImGui::GetContentRegionAvail().x,
                  "The run that was open before, as it stood; this one is set aside instead "
                  "(Ctrl+Z).")) {
    bring_back(session);
  }
}

}  // namespace dispersion
