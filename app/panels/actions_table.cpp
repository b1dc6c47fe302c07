#include "app/panels/actions_table.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <utility>

#include "app/panels/widgets.h"

namespace dispersion {
namespace {

struct KeyName {
  ImGuiKey key;
  const char* name;
};
// Keys whose name here is not that of Dear ImGui.
constexpr std::array<KeyName, 13> kKeyNames = {{{ImGuiKey_RightArrow, "→"},
                                                {ImGuiKey_LeftArrow, "←"},
                                                {ImGuiKey_UpArrow, "↑"},
                                                {ImGuiKey_DownArrow, "↓"},
                                                {ImGuiKey_PageUp, "Page up"},
                                                {ImGuiKey_PageDown, "Page down"},
                                                {ImGuiKey_Escape, "Esc"},
                                                {ImGuiKey_Equal, "+"},
                                                {ImGuiKey_Minus, "−"},
                                                {ImGuiKey_KeypadAdd, "keypad +"},
                                                {ImGuiKey_KeypadSubtract, "keypad −"},
                                                {ImGuiKey_Comma, ","},
                                                {ImGuiKey_Period, "."}}};

std::string key_name(ImGuiKey key) {
  const auto found = std::ranges::find(kKeyNames, key, &KeyName::key);
  return found != kKeyNames.end() ? found->name : ImGui::GetKeyName(key);
}

std::string help_with_keys(const Action& action) {
  const std::string& text = action.help.empty() ? action.name : action.help;
  const std::string keys = chords_text(action);
  return keys.empty() ? text : text + "  (" + keys + ")";
}

// A key of what is presented does nothing else then.
void leave_keys_to_presentation(std::vector<Action>& all) {
  std::set<ImGuiKeyChord> taken;
  for (const Action& action : all) {
    if (action.reach == Reach::kPresent) taken.insert(action.chords.begin(), action.chords.end());
  }
  for (Action& action : all) {
    if (action.reach == Reach::kPresent) continue;
    for (std::size_t i = action.chords.size(); i-- > 0;) {
      if (!taken.contains(action.chords[i])) continue;
      action.chords.erase(action.chords.begin() + static_cast<std::ptrdiff_t>(i));
      if (static_cast<int>(i) < action.shown_chords) --action.shown_chords;
    }
  }
}

}  // namespace

std::vector<Action> actions(const AppState& app, const PanelState& state) {
  std::vector<Action> all;
  add_presentation_actions(all, app);
  add_run_actions(all, app, state);
  add_size_actions(all, app);
  add_attention_actions(all, app);
  add_view_actions(all, app);
  add_file_actions(all, app);
  add_state_actions(all, app);
  add_window_actions(all, app, state);
  add_recipe_actions(all, app);
  add_experiment_actions(all, app);
  leave_keys_to_presentation(all);
  return all;
}

const Action* find_action(const std::vector<Action>& all, std::string_view id) {
  const auto found = std::ranges::find(all, id, &Action::id);
  return found == all.end() ? nullptr : &*found;
}

void run_action(const Actor& actor, std::string_view id) {
  const std::vector<Action> all = actions(actor.app, actor.state);
  const Action* action = find_action(all, id);
  if (action != nullptr && action->available && action->act) action->act(actor);
}

void action_button(const Actor& actor, std::string_view id, const char* label, ButtonKind kind,
                   float width) {
  const bool pressed = push_button(actor.state.painter, label, kind, width, "");
  action_tooltip(actor.app, actor.state, id);
  if (pressed) run_action(actor, id);
}

void action_tooltip(const AppState& app, const PanelState& state, std::string_view id) {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) return;
  const std::vector<Action> all = actions(app, state);
  if (const Action* action = find_action(all, id))
    help_tooltip(state.painter, help_with_keys(*action));
}

std::string chord_text(ImGuiKeyChord chord) {
  std::string text;
  if ((chord & ImGuiMod_Ctrl) != 0) text += "Ctrl ";
  if ((chord & ImGuiMod_Alt) != 0) text += "Alt ";
  if ((chord & ImGuiMod_Shift) != 0) text += "Shift ";
  return text + key_name(static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_));
}

std::string chords_text(const Action& action) {
  std::string text;
  for (std::size_t i = 0; i < action.chords.size(); ++i) {
    if (static_cast<int>(i) >= action.shown_chords) break;
    text += (i == 0 ? "" : "   ") + chord_text(action.chords[i]);
  }
  return text;
}

}  // namespace dispersion
