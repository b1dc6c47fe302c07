#include "app/panels/panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/actions_table.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/keys.h"
#include "app/panels/menu.h"
#include "app/panels/top_bar_actions.h"
#include "app/panels/view_grid.h"
#include "app/panels/widgets.h"
#include "app/session/head_name.h"
#include "app/session/run_status.h"
#include "app/window/theme.h"

namespace dispersion {
namespace {

constexpr float kTabHeight = 26;
constexpr float kNamed = 960;     // from this width on the program's name is shown
constexpr float kHeadText = 120;  // the least room for the source of the open head

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

// The lines of these views in the menu that is open.
void view_lines(AppState& app, Painter& painter, const std::vector<View>& views) {
  for (const View view : views) {
    const std::string title(view_title(view));
    const auto place =
        std::ranges::find(app.experiments.views, view) - app.experiments.views.begin();
    const std::string help = view_help(view);
    const MenuLine line = {.id = "###line" + title,
                           .text = title,
                           .note = place < kNumberedViews ? std::to_string(place + 1) : "",
                           .chosen = app.view.view == view,
                           .help = help};
    if (menu_line(painter, line)) show_view(app.view, view);
  }
}

ImVec2 below_tab(const Painter& painter, ImVec2 at) {
  return {at.x, at.y + painter.px(kTabHeight + 4)};
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
      show_view(app.view, view);
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
  if (begin_menu(painter, "theory views", below_tab(painter, at))) {
    view_lines(app, painter, theory);
    end_menu();
  }
  return at.x + width;
}

// The menu of all views and actions, for a small window. Returns where its button ends.
float draw_view_menu(const Actor& actor, ImVec2 at) {
  AppState& app = actor.app;
  Painter& painter = actor.state.painter;
  float width = 0;
  const std::string label = std::string(view_title(app.view.view)) + "  ▾";
  if (tab(painter, label, "Views", true, at, width, "What the window shows."))
    ImGui::OpenPopup("all views");
  if (begin_menu(painter, "all views", below_tab(painter, at))) {
    view_lines(app, painter, app.experiments.views);
    menu_separator(painter);
    action_lines(actor);
    end_menu();
  }
  return at.x + width;
}

constexpr float kFind = 176;
constexpr float kShortFind = 112;  // of the field without its second word

// The field that opens the palette, where there is room for it. Returns where it ends.
float draw_find(const Actor& actor, ImVec2 at, float room) {
  const Painter& painter = actor.state.painter;
  const bool whole = room >= painter.px(kFind);
  const ImVec2 size = {painter.px(whole ? kFind : kShortFind), painter.px(kTabHeight)};
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
  draw_text(painter, list, {at.x + painter.px(10), y}, TextStyle::kSmall, p.muted,
            whole ? "Find anything" : "Find");
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

void draw_pages(const Actor& actor, ImVec2 at, float width) {
  const AppState& app = actor.app;
  PanelState& state = actor.state;
  const float right = at.x + width;
  if (app.experiments.views.size() > 1) at.x = draw_view_menu(actor, at) + state.painter.px(8);
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

// The source of the open head, where there is room for more than its first words.
void draw_head_text(const AppState& app, const Painter& painter, ImVec2 at, float room) {
  if (room < painter.px(kHeadText)) return;
  const std::vector<std::string> texts = open_head_texts(app);
  const std::string& whole = texts.front();
  const auto fits = std::ranges::find_if(texts, [&](const std::string& text) {
    return measure(painter, TextStyle::kSmall, text).x <= room;
  });
  const std::string shown =
      fitted(painter, TextStyle::kSmall, fits == texts.end() ? texts.back() : *fits, room);
  draw_text(painter, ImGui::GetWindowDrawList(), at, TextStyle::kSmall, painter.palette->muted,
            shown);
  if (shown == whole) return;
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(measure(painter, TextStyle::kSmall, shown));
  help_tooltip(painter, whole);
}

}  // namespace

std::vector<std::string> open_head_texts(const AppState& app) {
  if (app.status.backend.empty()) return {""};
  std::vector<std::string> texts = source_texts(app.status.head_source);
  if (app.history.empty()) return texts;
  for (std::string& text : texts)
    text.insert(0, "step " + step_text(app.status) + "  ·  ");
  return texts;
}

void draw_top_bar(AppState& app, Session& session, PanelState& state, bool pages) {
  Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float y = start.y + painter.px(10);
  if (pages) {
    draw_pages({app, session, state}, {start.x, y}, width);
    return;
  }
  float x = start.x;
  if (width >= painter.px(kNamed)) {
    x += draw_text(painter, ImGui::GetWindowDrawList(), {x, start.y + painter.px(14)},
                   TextStyle::kTitle, p.text, "Dispersion Lab") +
         painter.px(16);
  }
  if (app.experiments.views.size() > 1) x = draw_view_tabs(app, state, {x, y}) + painter.px(16);
  const Actor actor = {app, session, state};
  const bool shapes = app.experiments.views.size() > 1;
  const float shape = shapes ? painter.px(kShapeButton + 6) : 0;
  const float left = draw_bar_actions(actor, x + shape, start.x + width, y) - shape;
  if (shapes) draw_shape_button(actor, {left, y});
  x = draw_find(actor, {x, y}, left - x - painter.px(12)) + painter.px(14);
  draw_head_text(app, painter, {x, start.y + painter.px(16)}, left - x - painter.px(12));
}

}  // namespace dispersion
