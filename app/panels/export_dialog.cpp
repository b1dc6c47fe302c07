#include "app/panels/panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/panels/chord.h"
#include "app/panels/export_preview.h"
#include "app/panels/sentence.h"
#include "app/panels/widgets.h"
#include "app/window/theme.h"

namespace dispersion {
namespace {

constexpr const char* kName = "Export###export dialog";
constexpr float kWidth = 1040;
constexpr float kHeight = 660;
constexpr float kFields = 316;
constexpr float kNarrowFields = 280;
constexpr float kRoomy = 800;
constexpr float kLeastBeside = 640;  // for fields and preview side by side
constexpr float kLeastHeight = 320;
constexpr float kMargin = 18;
constexpr float kTitle = 36;
constexpr float kFoot = 84;
constexpr float kNotice = 50;  // at most, where it has lines of its own; it can be scrolled
constexpr float kLeastButton = 84;
constexpr float kBetweenButtons = 6;
constexpr std::size_t kLongestPath = 4096;

// Returns whether Enter was pressed in it.
bool draw_path(ExportState& exporting, Painter& painter, ImVec2 at, float width) {
  std::array<char, kLongestPath> text{};
  std::string& path = exporting.settings.path;
  std::copy_n(path.data(), std::min(path.size(), text.size() - 1), text.data());
  const float label = draw_text(painter, ImGui::GetWindowDrawList(), {at.x, at.y + painter.px(5)},
                                TextStyle::kBody, painter.palette->muted, "file") +
                      painter.px(12);
  ImGui::SetCursorScreenPos({at.x + label, at.y});
  ImGui::SetNextItemWidth(width - label);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {painter.px(8), painter.px(5)});
  const bool entered =
      ImGui::InputText("##path", text.data(), text.size(), ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::PopStyleVar();
  if (path != text.data()) {
    path = text.data();
    path_typed(exporting);
  }
  return entered;
}

struct Button {
  const char* label;
  ButtonKind kind;
  const char* help;
};

// From the right.
std::array<Button, 4> buttons(const ExportState& exporting) {
  return {{
      {exporting.underway > 0 ? "Working …###do"
       : exporting.replace    ? "Replace###do"
                              : "Export###do",
       ButtonKind::kPrimary, "Write the file (Ctrl+Enter)."},
      {"Cancel###away", ButtonKind::kPlain, "Esc"},
      {"Copy image", ButtonKind::kPlain,
       "The figure as set here, as a PNG on the clipboard (Ctrl+Shift+C)."},
      {"Copy data", ButtonKind::kPlain, "The figure's numbers as CSV on the clipboard (Ctrl+D)."},
  }};
}

float button_width(const Painter& painter, const Button& button) {
  const std::string label = button.label;
  const float text = measure(painter, TextStyle::kSmall, label.substr(0, label.find('#'))).x;
  return std::max(text + painter.px(20),
                  painter.px(button.kind == ButtonKind::kPrimary ? kLeastButton : 0));
}

float buttons_width(const ExportState& exporting, const Painter& painter) {
  float width = 0;
  for (const Button& button : buttons(exporting))
    width += button_width(painter, button) + painter.px(kBetweenButtons);
  return width;
}

void draw_buttons(ExportState& exporting, Painter& painter, float right, float y) {
  const std::array<Button, 4> all = buttons(exporting);
  float x = right;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const float width = button_width(painter, all[i]);
    x -= width;
    ImGui::SetCursorScreenPos({x, y});
    const bool clicked = push_button(painter, all[i].label, all[i].kind, width, all[i].help);
    x -= painter.px(kBetweenButtons);
    if (!clicked) continue;
    if (i == 0 && exporting.underway == 0) exporting.save = true;
    if (i == 1) close_export(exporting);
    if (i == 2) exporting.copy_image = true;
    if (i == 3) exporting.copy_data = true;
  }
}

// What the notice takes over the buttons; 0 where it fits beside them.
float notice_height(const ExportState& exporting, const Painter& painter, float width) {
  const std::string notice = as_sentence(exporting.notice);
  const float beside = width - buttons_width(exporting, painter);
  if (measure(painter, TextStyle::kSmall, notice).x <= beside) return 0;
  return std::min(flow_height(painter, TextStyle::kSmall, notice, width), painter.px(kNotice)) +
         painter.px(10);
}

// `own` height for the notice, or 0.
void draw_foot(ExportState& exporting, Painter& painter, ImVec2 at, float width, float own) {
  if (draw_path(exporting, painter, at, width)) exporting.save = true;
  const float y = at.y + painter.px(38);
  draw_buttons(exporting, painter, at.x + width, y + own);
  if (exporting.notice.empty()) return;
  const Palette& p = *painter.palette;
  ImGui::SetCursorScreenPos({at.x, own > 0 ? y : y + painter.px(6)});
  const float beside = width - buttons_width(exporting, painter);
  ImGui::BeginChild("notice",
                    {own > 0 ? width : std::max(beside, 1.0F), own > 0 ? own : painter.px(26)},
                    ImGuiChildFlags_None, ImGuiWindowFlags_NoBackground);
  flow_text(painter, TextStyle::kSmall, exporting.notice_good ? p.good : p.adaptive,
            as_sentence(exporting.notice));
  ImGui::EndChild();
}

void draw_inside(ExportState& exporting, PanelState& state, ImVec2 corner, ImVec2 size) {
  Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const float margin = painter.px(kMargin);
  const float inner = size.x - 2 * margin;
  const ImVec2 start = {corner.x + margin, corner.y + painter.px(14)};
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float title = draw_text(painter, list, start, TextStyle::kTitle, p.text, "Export");
  draw_text(painter, list, {start.x + title + painter.px(14), start.y + painter.px(2)},
            TextStyle::kSmall, p.muted,
            fitted(painter, TextStyle::kSmall, exporting.figure()->figure->title,
                   inner - title - painter.px(14)));
  const float top = start.y + painter.px(kTitle);
  const float own = notice_height(exporting, painter, inner);
  const float foot = corner.y + size.y - painter.px(kFoot) - own;
  const bool beside = size.x >= painter.px(kLeastBeside) && size.y >= painter.px(kLeastHeight);
  const float fields = !beside                       ? inner
                       : size.x < painter.px(kRoomy) ? painter.px(kNarrowFields)
                                                     : painter.px(kFields);
  ImGui::SetCursorScreenPos({start.x, top});
  ImGui::BeginChild("fields", {fields, foot - top - painter.px(10)}, ImGuiChildFlags_None,
                    ImGuiWindowFlags_NoBackground);
  draw_export_fields(exporting, painter);
  if (!beside) {
    gap(painter, 6);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 room = {ImGui::GetContentRegionAvail().x, painter.px(220)};
    draw_export_preview(exporting, state, at, room);
    ImGui::SetCursorScreenPos({at.x, at.y + room.y - 1});
    ImGui::Dummy({1, 1});
  }
  ImGui::EndChild();
  if (beside) {
    const float gutter = painter.px(22);
    draw_export_preview(exporting, state, {start.x + fields + gutter, top},
                        {inner - fields - gutter, foot - top - painter.px(2)});
  }
  list->AddLine({corner.x, foot}, {corner.x + size.x, foot}, packed(p.line));
  draw_foot(exporting, painter, {start.x, foot + painter.px(12)}, inner, own);
}

void handle_dialog_keys(AppState& app, PanelState& state) {
  ExportState& exporting = app.exporting;
  handle_export_keys(app, state);
  if (exporting.underway == 0 &&
      (pressed(ImGuiMod_Ctrl | ImGuiKey_Enter) || pressed(ImGuiMod_Ctrl | ImGuiKey_KeypadEnter)))
    exporting.save = true;
  // A list or a field that is open takes Esc for itself.
  if (pressed(ImGuiKey_Escape) && !ImGui::IsAnyItemActive() &&
      ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows))
    close_export(exporting);
}

}  // namespace

void handle_export_keys(AppState& app, PanelState& state) {
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_E)) open_export(app, state.surface);
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_D)) copy_figure_data(app, state.surface);
  if (pressed(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_C)) copy_figure_image(app, state.surface);
}

void draw_export_dialog(AppState& app, PanelState& state) {
  ExportState& exporting = app.exporting;
  if (exporting.open && !ImGui::IsPopupOpen(kName)) ImGui::OpenPopup(kName);
  const Painter& painter = state.painter;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float edge = painter.px(display.x < painter.px(700) ? 6 : 24);
  const ImVec2 size = {std::min(painter.px(kWidth), display.x - 2 * edge),
                       std::min(painter.px(kHeight), display.y - 2 * edge)};
  ImGui::SetNextWindowPos(
      {std::floor((display.x - size.x) / 2), std::floor((display.y - size.y) / 2)});
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleColor(ImGuiCol_PopupBg, colour(painter.palette->panel));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, painter.px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.0F, painter.scale));
  const bool drawn = ImGui::BeginPopupModal(
      kName, nullptr,
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
          ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(3);
  ImGui::PopStyleColor();
  if (!drawn) return;
  if (exporting.open) {
    handle_dialog_keys(app, state);
    draw_inside(exporting, state, ImGui::GetWindowPos(), size);
  }
  if (!exporting.open) {
    ImGui::CloseCurrentPopup();
    state.painter.redraw(state.painter.now);  // this frame still has the empty dialog
  }
  ImGui::EndPopup();
}

}  // namespace dispersion
