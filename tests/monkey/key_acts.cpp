// Acts with the keyboard, but for text.

#include <array>
#include <vector>

#include "tests/monkey/acts.h"
#include "tests/monkey/hand.h"

namespace dispersion::monkey {
namespace {

constexpr std::array<ImGuiKey, 30> kKeys = {
    ImGuiKey_Tab,         ImGuiKey_Tab,       ImGuiKey_Tab,       ImGuiKey_Tab,
    ImGuiKey_Enter,       ImGuiKey_Enter,     ImGuiKey_Space,     ImGuiKey_Space,
    ImGuiKey_Escape,      ImGuiKey_Escape,    ImGuiKey_LeftArrow, ImGuiKey_RightArrow,
    ImGuiKey_UpArrow,     ImGuiKey_DownArrow, ImGuiKey_PageUp,    ImGuiKey_PageDown,
    ImGuiKey_Home,        ImGuiKey_End,       ImGuiKey_Delete,    ImGuiKey_Backspace,
    ImGuiKey_KeypadEnter, ImGuiKey_F1,        ImGuiKey_F6,        ImGuiKey_F12,
    ImGuiKey_A,           ImGuiKey_Minus,     ImGuiKey_Keypad5,   ImGuiKey_Insert,
    ImGuiKey_Menu,        ImGuiKey_Comma};

std::string key(Hand& hand, fuzz::Random& dice) {
  const ImGuiKey key = dice.pick(kKeys);
  const ImGuiKeyChord chord = key | hand.any_modifiers(dice);
  if (hand.writes_a_file() && (key == ImGuiKey_Delete || key == ImGuiKey_Backspace)) return "none";
  for (std::size_t i = dice.one_in(4) ? dice.below(12) + 1 : 1; i-- > 0;)
    hand.press(chord);
  return chord_text(chord);
}

// Of the table of actions.
std::string chord(Hand& hand, fuzz::Random& dice) {
  std::vector<ImGuiKeyChord> chords;
  for (const Action& row : hand.all_actions())
    chords.insert(chords.end(), row.chords.begin(), row.chords.end());
  const ImGuiKeyChord chosen = dice.pick(chords);
  hand.press(chosen);
  return chord_text(chosen);
}

// A storm of undo and redo.
std::string undo(Hand& hand, fuzz::Random& dice) {
  constexpr std::array<ImGuiKeyChord, 3> kChords = {ImGuiMod_Ctrl | ImGuiKey_Z,
                                                    ImGuiMod_Ctrl | ImGuiKey_Z,
                                                    ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z};
  const std::size_t times = dice.below(15) + 1;
  for (std::size_t i = 0; i < times; ++i)
    hand.press(dice.pick(kChords));
  return std::to_string(times) + " times";
}

constexpr std::array<ActKind, 3> kActs = {
    {{"key", 100, key}, {"chord", 80, chord}, {"undo", 30, undo}}};

}  // namespace

std::span<const ActKind> key_acts() {
  return kActs;
}

}  // namespace dispersion::monkey
