#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace dispersion {
namespace {

constexpr float kBarHeight = 30;   // of the field with what stands beside it
constexpr float kBelowError = 10;  // space

// The path that the user typed, with "~/" replaced by the home folder.
std::filesystem::path typed_path(const std::string& text) {
  const char* home = std::getenv("HOME");
  if (text.rfind("~/", 0) == 0 && home != nullptr) {
    return std::filesystem::path(home) / text.substr(2);
  }
  return text;
}

// Asks the worker to open or save the file. A file that exists is overwritten only after a second
// confirmation.
void confirm(Session& session, PanelState& state) {
  PathEntry& entry = state.entry;
  const std::filesystem::path path = typed_path(entry.text.data());
  if (path.empty() || entry.asked != 0) return;
  std::error_code error;
  if (entry.purpose == PathEntry::Purpose::kSave && !entry.overwrite &&
      std::filesystem::exists(path, error)) {
    entry.overwrite = true;
    entry.error.clear();
    return;
  }
  entry.asked = ++state.entries_sent;
  if (entry.purpose == PathEntry::Purpose::kOpen) {
    session.send(OpenCommand{path, entry.asked});
  } else {
    session.send(SaveCommand{path, entry.overwrite, entry.asked});
  }
}

const char* label_of(const PathEntry& entry) {
  if (entry.purpose == PathEntry::Purpose::kOpen) return "Open the head in";
  return entry.overwrite ? "This file is there already:" : "Save the head as";
}

const char* verb_of(const PathEntry& entry) {
  if (entry.purpose == PathEntry::Purpose::kOpen) return "Open###confirm";
  return entry.overwrite ? "Replace###confirm" : "Save###confirm";
}

// The field for the path. Returns whether Enter was pressed.
bool draw_field(const Painter& painter, PathEntry& entry, float width) {
  ImGui::SetNextItemWidth(width);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {painter.px(8), painter.px(5)});
  const std::string before = entry.text.data();
  const bool entered = focused_field("##path", entry.text, entry.focus);
  ImGui::PopStyleVar();
  if (before != entry.text.data()) {
    entry.overwrite = false;
    entry.error.clear();
  }
  return entered;
}

void draw_error(const PanelState& state, ImVec2 start, float left) {
  const Painter& painter = state.painter;
  if (state.entry.error.empty()) return;
  ImGui::SetCursorScreenPos({left, start.y + painter.px(kBarHeight + 4)});
  flow_text(painter, TextStyle::kBody, painter.palette->adaptive, as_sentence(state.entry.error));
}

float label_width(const Painter& painter, const PathEntry& entry) {
  return measure(painter, TextStyle::kBody, label_of(entry)).x + painter.px(10);
}

}  // namespace

void take_answer(const AppState& app, PanelState& state) {
  PathEntry& entry = state.entry;
  if (entry.asked == 0) return;
  const auto answer = std::ranges::find(app.reports, entry.asked, &Report::answers);
  if (answer == app.reports.end()) return;
  if (answer->ok) {
    entry = {};
    return;
  }
  entry.asked = 0;
  entry.error = answer->text;
  state.reports_read = app.reports_added;  // it is told below the field
}

float path_error_height(const PanelState& state, float width) {
  const PathEntry& entry = state.entry;
  if (entry.error.empty()) return 0;
  const Painter& painter = state.painter;
  return flow_height(painter, TextStyle::kBody, as_sentence(entry.error),
                     width - label_width(painter, entry)) +
         painter.px(kBelowError);
}

void draw_path_bar(Session& session, PanelState& state) {
  Painter& painter = state.painter;
  PathEntry& entry = state.entry;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  draw_text(painter, ImGui::GetWindowDrawList(), {start.x, start.y + painter.px(5)},
            TextStyle::kBody, entry.overwrite ? painter.palette->adaptive : painter.palette->muted,
            label_of(entry));
  const float button = painter.px(76);
  const float spacing = painter.px(6);
  const float left = start.x + label_width(painter, entry);
  const float field = width - (left - start.x) - 2 * (button + spacing);
  ImGui::SetCursorScreenPos({left, start.y});
  const bool entered = draw_field(painter, entry, field);
  ImGui::SetCursorScreenPos({left + field + spacing, start.y});
  const bool pressed = push_button(painter, verb_of(entry), ButtonKind::kPrimary, button, "");
  ImGui::SetCursorScreenPos({left + field + 2 * spacing + button, start.y});
  const bool cancelled = push_button(painter, "Cancel", ButtonKind::kPlain, button, "Esc");
  draw_error(state, start, left);
  if (entered || pressed) {
    confirm(session, state);
    if (pressed) entry.focus.wanted = true;
  } else if (cancelled || ImGui::IsKeyPressed(ImGuiKey_Escape)) {
    entry = {};
  }
}

}  // namespace dispersion
