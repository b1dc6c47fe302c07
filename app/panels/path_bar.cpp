#include "app/panels/panels.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "app/panels/widgets.h"
#include "app/window/theme.h"

namespace dispersion {
namespace {

// "~/x" as people type it.
std::filesystem::path path_of(const std::string& text) {
  const char* home = std::getenv("HOME");
  if (text.rfind("~/", 0) == 0 && home != nullptr) {
    return std::filesystem::path(home) / text.substr(2);
  }
  return text;
}

void confirm(Session& session, PathEntry& entry) {
  const std::filesystem::path path = path_of(entry.text.data());
  if (path.empty()) return;
  std::error_code error;
  if (entry.purpose == PathEntry::Purpose::kOpen) {
    session.send(OpenCommand{path});
  } else if (std::filesystem::exists(path, error) && !entry.overwrite) {
    entry.overwrite = true;
    entry.focus = true;
    return;
  } else {
    session.send(SaveCommand{path});
  }
  entry = {};
}

}  // namespace

void draw_path_bar(Session& session, PanelState& state) {
  Painter& painter = state.painter;
  PathEntry& entry = state.entry;
  const bool saving = entry.purpose == PathEntry::Purpose::kSave;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const std::string label = !saving           ? "Open the head in"
                            : entry.overwrite ? "This file is there already:"
                                              : "Save the head as";
  const float text_y = start.y + painter.px(5);
  const float label_width =
      draw_text(painter, ImGui::GetWindowDrawList(), {start.x, text_y}, TextStyle::kBody,
                entry.overwrite ? painter.palette->adaptive : painter.palette->muted, label);
  const float button = painter.px(76);
  const float spacing = painter.px(6);
  const float left = start.x + label_width + painter.px(10);
  const float field = width - (left - start.x) - 2 * (button + spacing);
  ImGui::SetCursorScreenPos({left, start.y});
  ImGui::SetNextItemWidth(field);
  if (entry.focus) ImGui::SetKeyboardFocusHere();
  entry.focus = false;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {painter.px(8), painter.px(5)});
  const std::string before = entry.text.data();
  const bool entered = ImGui::InputText("##path", entry.text.data(), entry.text.size(),
                                        ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::PopStyleVar();
  if (before != entry.text.data()) entry.overwrite = false;
  ImGui::SetCursorScreenPos({left + field + spacing, start.y});
  const char* verb = !saving           ? "Open###confirm"
                     : entry.overwrite ? "Replace###confirm"
                                       : "Save###confirm";
  const bool pressed = push_button(painter, verb, ButtonKind::kPrimary, button, "");
  ImGui::SetCursorScreenPos({left + field + 2 * spacing + button, start.y});
  const bool cancelled = push_button(painter, "Cancel", ButtonKind::kPlain, button, "Esc");
  if (entered || pressed) {
    confirm(session, entry);
  } else if (cancelled || ImGui::IsKeyPressed(ImGuiKey_Escape)) {
    entry = {};
  }
}

}  // namespace dispersion
