#include "app/panels/panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/actions_table.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/keys.h"
#include "app/panels/view_grid.h"
#include "app/panels/widgets.h"
#include "app/session/run_status.h"
#include "app/window/theme.h"

namespace dispersion {
namespace {

constexpr float kTabHeight = 26;

// The tab of a view; the chosen one has a lighter background. Sets `width` to its width and returns
// whether it was clicked.
bool tab(Painter& painter, const std::string& label, const char* id, bool chosen, ImVec2 at,
         float& width, std::string_view help) {
  const ImVec2 text = measure(painter, TextStyle::kBody, label);
  width = text.x + painter.px(20);
  const ImVec2 size = {width, painter.px(kTabHeight)};
  ImGui::SetCursorScreenPos(at);
  const bool pressed = ImGui::InvisibleButton(id, size, kFocusable);
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

// A line of a menu: the name of a view and its key.
void menu_line(AppState& app, Painter& painter, View view, float width) {
  const std::string title(view_title(view));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = painter.px(28);
  const std::string id = title + "###line" + title;
  if (ImGui::InvisibleButton(id.c_str(), {width, height}, kFocusable)) {
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
  if (place >= kNumberedViews) return;
  const std::string key = std::to_string(place + 1);
  draw_text(painter, list,
            {at.x + width - painter.px(10) - measure(painter, TextStyle::kSmall, key).x,
             y + painter.px(1)},
            TextStyle::kSmall, p.muted, key);
}

// The Export line of the menu of a small window, whose top bar has no room for buttons.
void export_line(AppState& app, PanelState& state, float width) {
  Painter& painter = state.painter;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float top = at.y + painter.px(4);
  const float height = painter.px(28);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine({at.x, top - painter.px(2)}, {at.x + width, top - painter.px(2)},
                packed(painter.palette->line));
  ImGui::SetCursorScreenPos({at.x, top});
  if (ImGui::InvisibleButton("###export", {width, height}, kFocusable)) {
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

// The menu of these views, below the tab at `at`.
void menu(AppState& app, PanelState& state, const char* id, const std::vector<View>& views,
          ImVec2 at, bool with_export = false) {
  Painter& painter = state.painter;
  ImGui::SetNextWindowPos({at.x, at.y + painter.px(kTabHeight + 4)});
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

// The tabs of the views from `at` to the right, with those of the theory in one menu. Returns where
// they end.
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
      (chosen ? "Theory: " + std::string(view_title(app.view.view)) : std::string("Theory")) +
      "  ▾";
  if (tab(painter, label, "Theory", chosen, at, width,
          "The paper's theory in numbers: entropy surfaces, bounds, spread, depth, streaming."))
    ImGui::OpenPopup("theory views");
  menu(app, state, "theory views", theory, at);
  return at.x + width;
}

// The menu of all views, for a small window. Returns where its button ends.
float draw_view_menu(AppState& app, PanelState& state, ImVec2 at) {
  Painter& painter = state.painter;
  float width = 0;
  const std::string label = std::string(view_title(app.view.view)) + "  ▾";
  if (tab(painter, label, "Views", true, at, width, "What the window shows."))
    ImGui::OpenPopup("all views");
  menu(app, state, "all views", app.experiments.views, at, true);
  return at.x + width;
}

constexpr float kNamed = 700;  // from this width on, in logical pixels, the program's name is shown

struct TopButton {
  const char* action;
  const char* label;
};
constexpr std::array<TopButton, 6> kButtons = {{{"file.open", "Open"},
                                                {"file.save", "Save"},
                                                {"figure.export", "Export"},
                                                {"window.theme", "Light"},
                                                {"window.present", "Present"},
                                                {"window.keys", "Keys"}}};

std::string label_of(const AppState& app, std::size_t i) {
  if (i == 3) return app.view.theme == Theme::kDark ? "Light###theme" : "Dark###theme";
  return kButtons[i].label;
}

float button_width(const Painter& painter, const std::string& label) {
  const std::string text = label.substr(0, label.find('#'));
  return measure(painter, TextStyle::kSmall, text).x + painter.px(20);
}

// The buttons, right-aligned. Returns where they begin.
float draw_actions(const Actor& actor, float right, float y) {
  const AppState& app = actor.app;
  const PanelState& state = actor.state;
  const Painter& painter = state.painter;
  const float spacing = painter.px(6);
  float left = right;
  for (std::size_t i = 0; i < kButtons.size(); ++i) {
    left -= button_width(painter, label_of(app, i)) + (i == 0 ? 0 : spacing);
  }
  float x = left;
  for (std::size_t i = 0; i < kButtons.size(); ++i) {
    const std::string label = label_of(app, i);
    const float width = button_width(painter, label);
    const bool on = (i == 4 && app.view.projector) || (i == 5 && state.keys_shown);
    ImGui::SetCursorScreenPos({x, y});
    action_button(actor, kButtons[i].action, label.c_str(),
                  on ? ButtonKind::kPrimary : ButtonKind::kPlain, width);
    x += width + spacing;
  }
  return left;
}

constexpr float kFind = 176;

// The field that opens the palette, where there is room for it. Returns where it ends.
float draw_find(const Actor& actor, ImVec2 at, float room) {
  const Painter& painter = actor.state.painter;
  const ImVec2 size = {painter.px(kFind), painter.px(kTabHeight)};
  if (room < size.x) return at.x;
  const Palette& p = *painter.palette;
  ImGui::SetCursorScreenPos(at);
  const bool pressed = ImGui::InvisibleButton("###find", size, kFocusable);
  const bool hovered = ImGui::IsItemHovered();
  action_tooltip(actor.app, actor.state, "window.palette");
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRect(at, {at.x + size.x, at.y + size.y}, packed(hovered ? p.muted : p.line),
                painter.px(5), std::max(1.0F, std::floor(painter.scale)));
  const float y = at.y + (size.y - measure(painter, TextStyle::kSmall, "K").y) / 2;
  draw_text(painter, list, {at.x + painter.px(10), y}, TextStyle::kSmall, p.muted, "Find anything");
  const char* keys = "Ctrl K";
  draw_text(painter, list,
            {at.x + size.x - painter.px(10) - measure(painter, TextStyle::kSmall, keys).x, y},
            TextStyle::kSmall, p.muted, keys);
  if (pressed) run_action(actor, "window.palette");
  return at.x + size.x;
}

void draw_attention_pages(PanelState& state) {
  constexpr std::array<const char*, 5> kNames = {"Maps", "Curves", "Run", "Controls", "Details"};
  int chosen = static_cast<int>(state.page);
  if (segments(state.painter, "page", kNames.data(), static_cast<int>(kNames.size()), chosen, "")) {
    state.page = static_cast<Page>(chosen);
  }
}

void draw_experiment_pages(PanelState& state) {
  constexpr std::array<const char*, 2> kNames = {"Figure", "Settings"};
  int chosen = state.experiment_settings ? 1 : 0;
  segments(state.painter, "experiment page", kNames.data(), 2, chosen, "");
  state.experiment_settings = chosen == 1;
}

void draw_pages(AppState& app, PanelState& state, ImVec2 at, float width) {
  const float right = at.x + width;
  if (app.experiments.views.size() > 1) at.x = draw_view_menu(app, state, at) + state.painter.px(8);
  ImGui::SetCursorScreenPos({at.x, at.y + state.painter.px(1)});  // the menu's button is higher
  ImGui::BeginChild("pages", {right - at.x, state.painter.px(26)}, kTabbedThrough,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground);
  if (app.view.view == View::kAttention) {
    draw_attention_pages(state);
  } else {
    draw_experiment_pages(state);
  }
  ImGui::EndChild();
}

}  // namespace

std::string open_head_text(const AppState& app) {
  if (app.status.backend.empty()) return "";
  if (app.history.empty()) return app.status.head_source;
  return "step " + step_text(app.status) + "  ·  " + app.status.head_source;
}

void draw_top_bar(AppState& app, Session& session, PanelState& state, bool pages) {
  Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float y = start.y + painter.px(10);
  if (pages) {
    draw_pages(app, state, {start.x, y}, width);
    return;
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  // A narrow window leaves out the name, since views and buttons need the room.
  float name = -painter.px(16);
  if (width >= painter.px(kNamed)) {
    name = draw_text(painter, list, {start.x, start.y + painter.px(14)}, TextStyle::kTitle, p.text,
                     "Dispersion Lab");
  }
  float left = draw_actions({app, session, state}, start.x + width, y);
  if (app.experiments.views.size() > 1) {
    left -= painter.px(kShapeButton + 6);
    draw_shape_button({app, session, state}, {left, y});
  }
  float x = start.x + name + painter.px(16);
  if (app.experiments.views.size() > 1) x = draw_view_tabs(app, state, {x, y});
  x = draw_find({app, session, state}, {x + painter.px(12), y}, left - x - painter.px(24));
  x += painter.px(14);
  draw_text(painter, list, {x, start.y + painter.px(16)}, TextStyle::kSmall, p.muted,
            fitted(painter, TextStyle::kSmall, open_head_text(app), left - x - painter.px(12)));
}

}  // namespace dispersion
