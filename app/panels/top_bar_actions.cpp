#include "app/panels/top_bar_actions.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "app/panels/bar_layout.h"
#include "app/panels/menu.h"
#include "app/panels/widgets.h"

namespace dispersion {
namespace {

constexpr float kSpacing = 6;
constexpr const char* kMenu = "more actions";

// An action with a button in the bar, or a line in the menu.
struct BarAction {
  const char* action;
  const char* label;
  int keep;  // see BarItem
};

// In the order of the bar.
constexpr std::array<BarAction, 7> kActions = {{{"file.open", "Open", 50},
                                                {"file.save", "Save", 45},
                                                {"figure.export", "Export", 90},
                                                {"window.theme", "Colours", 20},
                                                {"window.present", "Present", 30},
                                                {"window.keys", "Keys", 10},
                                                {"compare.pin", "A | B", 60}}};

float button_width(const Painter& painter, const char* label) {
  return measure(painter, TextStyle::kSmall, label).x + painter.px(20);
}

bool is_on(const Actor& actor, const std::string& action) {
  return (action == "window.present" && actor.app.view.projector) ||
         (action == "window.keys" && actor.state.keys_shown) ||
         (action == "compare.pin" && actor.app.comparison);
}

void draw_button(const Actor& actor, const BarAction& item, ImVec2 at, float width) {
  ImGui::SetCursorScreenPos(at);
  action_button(actor, item.action, item.label,
                is_on(actor, item.action) ? ButtonKind::kPrimary : ButtonKind::kPlain, width);
}

// "figure.export" is the line "###export".
void action_line(const Actor& actor, const std::vector<Action>& all, const BarAction& item) {
  const Action* action = find_action(all, item.action);
  if (action == nullptr) return;
  const MenuLine line = {.id = "###" + action->id.substr(action->id.find('.') + 1),
                         .text = item.label,
                         .note = chords_text(*action),
                         .chosen = is_on(actor, action->id),
                         .help = action->help};
  if (menu_line(actor.state.painter, line)) run_action(actor, item.action);
}

// The button "…" with the actions that have no button of their own.
void draw_menu(const Actor& actor, const std::vector<bool>& in_bar, ImVec2 at) {
  Painter& painter = actor.state.painter;
  ImGui::SetCursorScreenPos(at);
  if (push_button(painter, "…###more", ButtonKind::kPlain, button_width(painter, "…"),
                  "What has no room in this bar."))
    ImGui::OpenPopup(kMenu);
  if (!begin_menu(painter, kMenu, {at.x, at.y + painter.px(30)})) return;
  const std::vector<Action> all = actions(actor.app, actor.state);
  for (std::size_t i = 0; i < kActions.size(); ++i) {
    if (!in_bar[i]) action_line(actor, all, kActions[i]);
  }
  end_menu();
}

}  // namespace

float draw_bar_actions(const Actor& actor, float left, float right, float y) {
  const Painter& painter = actor.state.painter;
  const float spacing = painter.px(kSpacing);
  const float more = button_width(painter, "…");
  std::array<BarItem, kActions.size()> items;
  for (std::size_t i = 0; i < kActions.size(); ++i)
    items[i] = {button_width(painter, kActions[i].label), kActions[i].keep};
  const std::vector<bool> in_bar = items_in_bar(items, right - left, spacing, more);
  const bool folded = std::ranges::find(in_bar, false) != in_bar.end();
  float width = folded ? more + spacing : 0;
  for (std::size_t i = 0; i < kActions.size(); ++i)
    width += in_bar[i] ? items[i].width + spacing : 0;
  const float begin = right - width + spacing;
  float x = begin;
  for (std::size_t i = 0; i < kActions.size(); ++i) {
    if (!in_bar[i]) continue;
    draw_button(actor, kActions[i], {x, y}, items[i].width);
    x += items[i].width + spacing;
  }
  if (folded) draw_menu(actor, in_bar, {x, y});
  return begin;
}

void action_lines(const Actor& actor) {
  const std::vector<Action> all = actions(actor.app, actor.state);
  action_line(actor, all, {"window.palette", "Find anything", 0});
  for (const BarAction& item : kActions)
    action_line(actor, all, item);
}

}  // namespace dispersion
