#include "app/panels/backend_field.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/panels/fields.h"
#include "app/panels/widgets.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

void draw_choice(const RunStatus& status, Session& session, Painter& painter) {
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
  value_row(painter, {"memory used",
                      gigabytes(used) + " of " + gigabytes(memory.total_bytes) + " GB",
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

std::string gigabytes(std::size_t bytes) {
  return fixed_text(static_cast<double>(bytes) / 1e9, 1);
}

void draw_backend_field(const AppState& app, Session& session, PanelState& state) {
  Painter& painter = state.painter;
  const RunStatus& status = app.status;
  if (status.backend.empty()) return;  // nothing heard yet
  draw_choice(status, session, painter);
  if (status.memory) draw_memory(*status.memory, painter);
  if (status.backend_note.empty()) return;
  gap(painter, 2);
  flow_text(painter, TextStyle::kSmall, painter.palette->muted, status.backend_note);
}

}  // namespace dispersion
