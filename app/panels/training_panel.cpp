#include "app/panels/panels.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/actions.h"
#include "app/panels/actions_table.h"
#include "app/panels/input_fields.h"
#include "app/panels/widgets.h"
#include "app/session/run_status.h"
#include "app/session/training_stop.h"
#include "core/build_info.h"
#include "core/figure/number_text.h"
#include "core/figure/training_text.h"

namespace dispersion {
namespace {

void draw_backend_choice(const RunStatus& status, Session& session, Painter& painter) {
  const std::vector<BackendChoice> choices = backend_choices(status);
  std::vector<std::string> texts;
  for (const BackendChoice& choice : choices) {
    texts.push_back(choice_text(choice));
    const auto device = static_cast<std::size_t>(choice.device);
    const bool known = choice.kind == BackendChoice::Kind::kCuda && device < status.devices.size();
    if (known) texts.back() += ", " + status.devices[device];
  }
  std::vector<const char*> names;
  for (const std::string& text : texts)
    names.push_back(text.c_str());
  int chosen = static_cast<int>(std::ranges::find(choices, status.choice) - choices.begin());
  if (!choice_field(painter, "backend", names.data(), static_cast<int>(names.size()), chosen,
                    "What trains the head and computes the pictures. The run goes on where it "
                    "stands. Automatic takes a CUDA device where one can be used.")) {
    return;
  }
  session.send(UseBackendCommand{choices[static_cast<std::size_t>(chosen)]});
}

void draw_memory(const DeviceMemory& memory, Painter& painter) {
  const std::size_t used = memory.total_bytes - memory.free_bytes;
  value_row(painter,
            {"memory used",
             Statement::naming(gigabytes(used) + " of " + gigabytes(memory.total_bytes) + " GB"),
             std::to_string(used),
             {},
             "On the device, by this and all other programs.",
             "bytes"});
}

}  // namespace

std::vector<BackendChoice> backend_choices(const RunStatus& status) {
  using Kind = BackendChoice::Kind;
  std::vector<BackendChoice> choices = {{Kind::kAutomatic, 0}, {Kind::kCpu, 0}};
  for (int device = 0; device < static_cast<int>(status.devices.size()); ++device)
    choices.push_back({Kind::kCuda, device});
  if (std::ranges::find(choices, status.choice) == choices.end()) choices.push_back(status.choice);
  return choices;
}

std::string choice_text(const BackendChoice& choice) {
  switch (choice.kind) {
    case BackendChoice::Kind::kAutomatic:
      return "automatic";
    case BackendChoice::Kind::kCpu:
      return "CPU";
    case BackendChoice::Kind::kCuda:
      break;
  }
  return "CUDA device " + std::to_string(choice.device);
}

std::string short_cuda_absence(std::string_view absence) {
  const std::size_t colon = absence.find(": ");
  std::string_view reason = colon == std::string_view::npos ? absence : absence.substr(colon + 2);
  reason = reason.substr(0, reason.find('.'));
  return as_sentence(std::string(reason)) + "; the CPU computes.";
}

std::string gigabytes(std::size_t bytes) {
  return fixed_text(static_cast<double>(bytes) / 1e9, 1);
}

namespace {

// The chosen backend, the memory of its device, and where CUDA is not used, the reason.
void draw_backend_field(const AppState& app, Session& session, PanelState& state) {
  Painter& painter = state.painter;
  const RunStatus& status = app.status;
  if (status.backend.empty()) return;  // the worker has not reported yet
  draw_backend_choice(status, session, painter);
  if (status.memory) draw_memory(*status.memory, painter);
  if (status.backend_note.empty()) return;
  gap(painter, 2);
  const std::string& note = status.backend_note;
  const bool without_cuda = note == build_info().cuda_absence;
  flow_text(painter, TextStyle::kSmall, painter.palette->muted,
            without_cuda ? short_cuda_absence(note) : note);
  if (without_cuda) help_tooltip(painter, note);
}

void draw_buttons(const Actor& actor) {
  Painter& painter = actor.state.painter;
  const bool training = actor.app.status.phase == RunPhase::kTraining;
  const float spacing = painter.px(6);
  const float whole = ImGui::GetContentRegionAvail().x;
  const float small = std::floor((whole - 3 * spacing) * 0.215F);
  const float seed = std::floor((whole - 3 * spacing) * 0.30F);
  const float play = whole - 3 * spacing - 2 * small - seed;
  ImGui::PushStyleVarX(ImGuiStyleVar_ItemSpacing, spacing);
  // After a device was lost, the button to press is that of the notice.
  const bool lost = actor.app.status.phase == RunPhase::kDeviceLost;
  action_button(actor, "run.play", training ? "Pause###play" : "Play###play",
                lost ? ButtonKind::kPlain : ButtonKind::kPrimary, play);
  ImGui::SameLine();
  action_button(actor, "run.step", "Step", ButtonKind::kPlain, small);
  ImGui::SameLine();
  action_button(actor, "run.rewind", "Rewind", ButtonKind::kPlain, small);
  ImGui::SameLine();
  action_button(actor, "run.new_seed", "New seed", ButtonKind::kPlain, seed);
  ImGui::PopStyleVar();
}

std::string steps_help(const RunStatus& status) {
  std::string help =
      "Steps that the head has been trained in all; one step is one batch and one update by Adam.";
  if (status.steps_before > 0) {
    help += " The last " + grouped_text(status.step) + " were done with fresh moments of Adam.";
  }
  return help;
}

void draw_stop_field(AppState& app, Session& session, Painter& painter) {
  double stop = static_cast<double>(training_stop(app));
  const NumberField field = {
      "stop at step",
      1,
      kLargestStop,
      true,
      "Training pauses by itself after this step. The paper trains 100\u2009000.",
      true};
  if (!number_field(painter, field, stop)) return;
  stop_at(app, session, static_cast<std::int64_t>(stop));
}

}  // namespace

void draw_training_panel(AppState& app, Session& session, PanelState& state) {
  Painter& painter = state.painter;
  const RunStatus& status = app.status;
  section_title(painter, "Training");
  const Actor actor = {app, session, state};
  draw_buttons(actor);
  gap(painter, 0);
  const bool trained_here = !app.history.empty();
  const std::int64_t step = counted_step(status, status.step);
  const std::int64_t stop = training_stop(app);
  const std::string of = trained_here && stop >= step ? " of " + grouped_text(stop) : "";
  value_row(painter, {"step",
                      Statement::naming(step_text(status) + (status.has_run ? of : "")),
                      status.has_run ? std::to_string(step) : "",
                      {},
                      steps_help(status)});
  progress_line(painter, trained_here
                             ? static_cast<double>(step) / static_cast<double>(std::max(step, stop))
                             : 0);
  gap(painter, 2);
  const bool training = status.phase == RunPhase::kTraining;
  value_row(painter,
            {"speed",
             Statement::naming(training ? fixed_text(status.steps_per_second, 0) + " steps/s"
                                        : std::string("–")),
             plain_number(status.steps_per_second),
             {},
             "Training steps per second, over the last second."});
  const StepRecord* newest = trained_here ? &app.history.back() : nullptr;
  for (const NamedValue& value : batch_values(newest, status.accuracy, status.recipe))
    named_value_row(painter, value);
  draw_stop_field(app, session, painter);
  draw_backend_field(app, session, state);
  if (status.set_aside.empty()) return;
  const std::string label = "Bring back " + status.set_aside + "###bring back";
  action_button(actor, "run.bring_back", label.c_str(), ButtonKind::kPlain,
                ImGui::GetContentRegionAvail().x);
}

}  // namespace dispersion
