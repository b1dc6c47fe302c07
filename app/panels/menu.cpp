#include "app/panels/menu.h"

#include "app/panels/keyboard_focus.h"
#include "app/panels/widgets.h"
#include "app/window/theme.h"

namespace dispersion {
namespace {

constexpr float kLine = 28;
constexpr float kIndent = 22;   // of what stands behind the dot
constexpr float kPicture = 28;  // the same of the text behind a picture

}  // namespace

bool begin_menu(Painter& painter, const char* id, ImVec2 at) {
  ImGui::SetNextWindowPos(at);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {painter.px(5), painter.px(5)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  const bool open = ImGui::BeginPopup(id, ImGuiWindowFlags_NoMove);
  if (!open) ImGui::PopStyleVar(2);
  return open;
}

void end_menu() {
  ImGui::EndPopup();
  ImGui::PopStyleVar(2);
}

bool menu_line(Painter& painter, const MenuLine& line) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size = {painter.px(line.width), painter.px(kLine)};
  const bool pressed = ImGui::InvisibleButton(line.id.c_str(), size, kFocusable);
  if (pressed) ImGui::CloseCurrentPopup();
  const bool lit = ImGui::IsItemHovered() || ImGui::IsItemFocused();
  help_tooltip(painter, line.help);
  const Palette& p = *painter.palette;
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (lit) list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, packed(p.line), painter.px(4));
  if (line.chosen)
    list->AddCircleFilled({at.x + painter.px(12), at.y + size.y / 2}, painter.px(3),
                          packed(p.text));
  const float y = at.y + (size.y - measure(painter, TextStyle::kBody, line.text).y) / 2;
  float x = at.x + painter.px(kIndent);
  if (line.picture) {
    line.picture({x, at.y + painter.px(7)}, p.text);
    x += painter.px(kPicture);
  }
  draw_text(painter, list, {x, y}, TextStyle::kBody, p.text, line.text);
  const float note = measure(painter, TextStyle::kSmall, line.note).x;
  draw_text(painter, list, {at.x + size.x - painter.px(10) - note, y + painter.px(1)},
            TextStyle::kSmall, lit ? p.text : p.muted, line.note);
  return pressed;
}

void menu_separator(Painter& painter) {
  ImGui::Dummy({1, painter.px(4)});
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddLine(at, {at.x + painter.px(kMenuWidth), at.y},
                                      packed(painter.palette->line));
  ImGui::Dummy({1, painter.px(5)});
}

}  // namespace dispersion
