#include "app/panels/panels.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "app/panels/keyboard_focus.h"
#include "app/panels/painter.h"
#include "app/panels/widgets.h"
#include "app/session/run_status.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

// "7c1e 09af": the first eight digits are enough to compare by eye.
std::string short_hash(const std::string& hash) {
  return hash.size() < 8 ? hash : hash.substr(0, 4) + " " + hash.substr(4, 4);
}

std::string memory_text(const DeviceMemory& memory) {
  return gigabytes(memory.total_bytes - memory.free_bytes) + " of " +
         gigabytes(memory.total_bytes) + " GB used";
}

// The parts of the status line, most important first.
std::vector<std::string> facts(const AppState& app) {
  const RunStatus& status = app.status;
  if (status.backend.empty()) return {"starting …"};
  std::vector<std::string> texts = {status.backend_line, computation_text(status)};
  if (!status.run_hash.empty()) texts.push_back("run " + short_hash(status.run_hash));
  texts.push_back(status.has_run
                      ? "seed " + std::to_string(status.seed) + ", step " + step_text(status)
                      : std::string(kWeightsOnly));
  if (status.phase == RunPhase::kTraining) {
    texts.push_back(fixed_text(status.steps_per_second, 0) + " steps/s");
  }
  if (status.memory) texts.push_back(memory_text(*status.memory));
  return texts;
}

// As many of the facts as fit side by side into `room`, the first ones first; none is cut but the
// first.
std::string facts_that_fit(const Painter& painter, const std::vector<std::string>& facts,
                           float room) {
  std::string text = fitted(painter, TextStyle::kSmall, facts.front(), room);
  for (std::size_t i = 1; i < facts.size(); ++i) {
    const std::string longer = text + "   ·   " + facts[i];
    if (measure(painter, TextStyle::kSmall, longer).x > room) break;
    text = longer;
  }
  return text;
}

}  // namespace

void draw_status_line(const AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float y = start.y + painter.px(6);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string zoom = fixed_text(100 * painter.scale, 0) + " %";
  const std::string keys = width > painter.px(700) ? "F1 keys    Ctrl + − scale    " + zoom : zoom;
  const float keys_width = measure(painter, TextStyle::kSmall, keys).x;
  draw_text(painter, list, {start.x + width - keys_width, y}, TextStyle::kSmall, p.muted, keys);
  const float room = width - keys_width - painter.px(24);
  const float text_width = draw_text(painter, list, {start.x, y}, TextStyle::kSmall, p.muted,
                                     facts_that_fit(painter, facts(app), room));
  ImGui::SetCursorScreenPos(start);
  if (ImGui::InvisibleButton("run hash", {std::max(1.0F, text_width), painter.px(26)},
                             kFocusable)) {
    copy_text(painter, "run hash", app.status.run_hash);
  }
  help_tooltip(painter, ("Run hash " + app.status.run_hash + " at step " +
                         grouped_text(counted_step(app.status, app.status.hash_step)) +
                         ": equal hashes mean equal runs, bit for bit. Click to copy.")
                            .c_str());
}

}  // namespace dispersion
