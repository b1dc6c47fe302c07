#include "app/panels/panels.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/panels/widgets.h"
#include "app/window/theme.h"

namespace dispersion {
namespace {

constexpr float kHeight = 26;

// A name to choose; the chosen one lies on a raised ground.
bool tab(Painter& painter, const std::string& label, const char* id, bool chosen, ImVec2 at,
         float& width, std::string_view help) {
  const ImVec2 text = measure(painter, TextStyle::kBody, label);
  width = text.x + painter.px(20);
  const ImVec2 size = {width, painter.px(kHeight)};
  ImGui::SetCursorScreenPos(at);
  const bool pressed = ImGui::InvisibleButton(id, size);
  const bool hovered = ImGui::IsItemHovered();
  help_tooltip(painter, help);
  const Palette& p = *painter.palette;
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (chosen)
    list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, packed(p.raised), painter.px(5));
  draw_text(painter, list, {at.x + painter.px(10), at.y + (size.y - text.y) / 2}, TextStyle::kBody,
            chosen || hovered ? p.text : p.muted, label);
  return pressed;
}

// A line of a menu: the view's name and its key.
void menu_line(AppState& app, Painter& painter, View view, float width) {
  const std::string title(view_title(view));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = painter.px(28);
  const std::string id = title + "###line" + title;
  if (ImGui::InvisibleButton(id.c_str(), {width, height})) {
    app.view.view = view;
    ImGui::CloseCurrentPopup();
  }
  const bool hovered = ImGui::IsItemHovered();
  help_tooltip(painter, view_help(view));
  const Palette& p = *painter.palette;
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (hovered)
    list->AddRectFilled(at, {at.x + width, at.y + height}, packed(p.line), painter.px(4));
  const float y = at.y + (height - measure(painter, TextStyle::kBody, title).y) / 2;
  draw_text(painter, list, {at.x + painter.px(10), y}, TextStyle::kBody,
            app.view.view == view ? p.text : mix(p.text, p.muted, 0.4F), title);
  const auto place = std::ranges::find(app.experiments.views, view) - app.experiments.views.begin();
  const std::string key = std::to_string(place + 1);
  draw_text(painter, list,
            {at.x + width - painter.px(10) - measure(painter, TextStyle::kSmall, key).x,
             y + painter.px(1)},
            TextStyle::kSmall, p.muted, key);
}

// What the top bar has no room for where all views are in one menu.
void export_line(AppState& app, PanelState& state, float width) {
  Painter& painter = state.painter;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float top = at.y + painter.px(4);
  const float height = painter.px(28);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine({at.x, top - painter.px(2)}, {at.x + width, top - painter.px(2)},
                packed(painter.palette->line));
  ImGui::SetCursorScreenPos({at.x, top});
  if (ImGui::InvisibleButton("###export", {width, height})) {
    open_export(app, state.surface);
    ImGui::CloseCurrentPopup();
  }
  if (ImGui::IsItemHovered())
    list->AddRectFilled({at.x, top}, {at.x + width, top + height}, packed(painter.palette->line),
                        painter.px(4));
  const float y = top + (height - measure(painter, TextStyle::kBody, "Export").y) / 2;
  draw_text(painter, list, {at.x + painter.px(10), y}, TextStyle::kBody, painter.palette->text,
            "Export …");
}

void menu(AppState& app, PanelState& state, const char* id, const std::vector<View>& views,
          ImVec2 at, bool with_export = false) {
  Painter& painter = state.painter;
  ImGui::SetNextWindowPos({at.x, at.y + painter.px(kHeight + 4)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {painter.px(5), painter.px(5)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  if (ImGui::BeginPopup(id, ImGuiWindowFlags_NoMove)) {
    for (const View view : views)
      menu_line(app, painter, view, painter.px(160));
    if (with_export) export_line(app, state, painter.px(160));
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

}  // namespace

float draw_view_tabs(AppState& app, PanelState& state, ImVec2 at) {
  Painter& painter = state.painter;
  std::vector<View> theory;
  float width = 0;
  for (const View view : app.experiments.views) {
    if (is_theory(view)) {
      theory.push_back(view);
      continue;
    }
    const std::string label(view_title(view));
    if (tab(painter, label, label.c_str(), app.view.view == view, at, width, view_help(view)))
      app.view.view = view;
    at.x += width + painter.px(2);
  }
  if (theory.empty()) return at.x;
  const bool chosen = is_theory(app.view.view);
  const std::string label =
      (chosen ? std::string(view_title(app.view.view)) : std::string("Theory")) + "  ▾";
  if (tab(painter, label, "Theory", chosen, at, width,
          "The paper's theory in numbers: entropy surfaces, bounds, spread, depth, streaming."))
    ImGui::OpenPopup("theory views");
  menu(app, state, "theory views", theory, at);
  return at.x + width;
}

float draw_view_menu(AppState& app, PanelState& state, ImVec2 at) {
  Painter& painter = state.painter;
  float width = 0;
  const std::string label = std::string(view_title(app.view.view)) + "  ▾";
  if (tab(painter, label, "Views", true, at, width, "What the window shows."))
    ImGui::OpenPopup("all views");
  menu(app, state, "all views", app.experiments.views, at, true);
  return at.x + width;
}

}  // namespace dispersion
