#include "app/panels/keys.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/lesson/presentation.h"
#include "app/panels/file_dialog.h"
#include "app/panels/keyboard_focus.h"

namespace dispersion {
namespace {

struct Modifier {
  ImGuiKeyChord chord;
  ImGuiKey left;
  ImGuiKey right;
};
constexpr std::array<Modifier, 4> kModifiers = {
    {{ImGuiMod_Ctrl, ImGuiKey_LeftCtrl, ImGuiKey_RightCtrl},
     {ImGuiMod_Shift, ImGuiKey_LeftShift, ImGuiKey_RightShift},
     {ImGuiMod_Alt, ImGuiKey_LeftAlt, ImGuiKey_RightAlt},
     {ImGuiMod_Super, ImGuiKey_LeftSuper, ImGuiKey_RightSuper}}};

// The modifiers that count as held in this frame; see pressed().
ImGuiKeyChord modifiers() {
  ImGuiKeyChord held = ImGui::GetIO().KeyMods;
  for (const Modifier& modifier : kModifiers) {
    if (ImGui::IsKeyReleased(modifier.left) || ImGui::IsKeyReleased(modifier.right))
      held |= modifier.chord;
  }
  return held;
}

}  // namespace

bool pressed(ImGuiKeyChord chord, bool repeats) {
  const auto key = static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_);
  return modifiers() == (chord & ImGuiMod_Mask_) && ImGui::IsKeyPressed(key, repeats);
}

namespace {

bool is_arrow(ImGuiKey key) {
  return key >= ImGuiKey_LeftArrow && key <= ImGuiKey_DownArrow;
}

// While the list of keys is shown, arrows and pages scroll it.
bool scrolls_list(ImGuiKeyChord chord, const PanelState& state) {
  return state.keys_shown && (is_arrow(static_cast<ImGuiKey>(chord)) || chord == ImGuiKey_PageUp ||
                              chord == ImGuiKey_PageDown);
}

// Space and, unless it leaves them to the window, the arrows are for the item that has the focus.
bool of_focused_item(ImGuiKeyChord chord, const Painter& painter) {
  if (!something_focused() || (chord & ImGuiMod_Mask_) != 0) return false;
  const auto key = static_cast<ImGuiKey>(chord);
  return key == ImGuiKey_Space || key == ImGuiKey_Enter || key == ImGuiKey_KeypadEnter ||
         (is_arrow(key) && !painter.arrows_left);
}

bool is_page(ImGuiKeyChord chord) {
  return chord == ImGuiKey_PageUp || chord == ImGuiKey_PageDown;
}

bool chosen(const Action& action, const PanelState& state) {
  // A clicker goes on also while a guess is typed.
  const bool typed = action.reach == Reach::kPresent && ImGui::GetIO().WantTextInput;
  return std::ranges::any_of(action.chords, [&](ImGuiKeyChord chord) {
    return (!typed || is_page(chord)) && pressed(chord, action.repeats) &&
           !of_focused_item(chord, state.painter) && !scrolls_list(chord, state);
  });
}

bool cards_shown(const PanelState& state) {
  return state.keys_shown || state.history_shown || state.bookmarks.shown;
}

// What the user is doing decides which actions work.
bool works(Reach reach, const AppState& app, const PanelState& state) {
  if (state.command_palette.open) return false;
  if (reach == Reach::kPresent) {
    return !app.exporting.open && state.entry.purpose == PathEntry::Purpose::kNone &&
           !cards_shown(state) && !state.painter.popup_open;
  }
  if (app.exporting.open) return reach != Reach::kWindow;
  // While a file name is asked for, keys belong to it, also in the moment before its field has the
  // focus.
  const bool typing =
      ImGui::GetIO().WantTextInput || state.entry.purpose != PathEntry::Purpose::kNone;
  return !typing || reach == Reach::kAnytime;
}

void close_cards(PanelState& state) {
  state.keys_shown = false;
  state.history_shown = false;
  state.bookmarks.shown = false;
}

void close_dialogs(const Actor& actor) {
  if (actor.app.exporting.open) close_export(actor.app.exporting);
  if (actor.state.entry.purpose != PathEntry::Purpose::kNone) close_file_dialog(actor.state);
}

bool any_key_pressed() {
  for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_NamedKey_END; ++key) {
    if (ImGui::IsKeyPressed(static_cast<ImGuiKey>(key))) return true;
  }
  return false;
}

}  // namespace

int actions_of(std::span<const Action> all, ImGuiKeyChord chord) {
  return static_cast<int>(std::ranges::count_if(all, [&](const Action& action) {
    return std::ranges::find(action.chords, chord) != action.chords.end();
  }));
}

void handle_keys(const Actor& actor) {
  Painter& painter = actor.state.painter;
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  if (moved.x != 0 || moved.y != 0) painter.help_hidden = false;
  if (!any_key_pressed()) return;
  if (presents(actor.app) && std::exchange(actor.app.presentation->blank, false)) return;
  bool acted = false;
  const bool cards = cards_shown(actor.state);
  for (const Action& action : actions(actor.app, actor.state)) {
    if (!action.available || !works(action.reach, actor.app, actor.state) ||
        !chosen(action, actor.state))
      continue;
    if (action.reach == Reach::kAnytime) close_dialogs(actor);
    action.act(actor);
    acted = true;
  }
  if (acted || !actor.state.command_palette.open) painter.help_hidden = acted;
  if (cards && pressed(ImGuiKey_Escape) && !actor.state.command_palette.open)
    close_cards(actor.state);
}

}  // namespace dispersion
