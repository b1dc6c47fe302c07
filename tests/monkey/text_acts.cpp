// Text that nobody should type, typed, pasted and looked for.

#include <array>

#include "tests/monkey/acts.h"
#include "tests/monkey/hand.h"

namespace dispersion::monkey {
namespace {

std::string type(Hand& hand, fuzz::Random& dice) {
  if (dice.one_in(2)) hand.press(ImGuiMod_Ctrl | ImGuiKey_A);
  const std::string text = hand.any_text(dice);
  hand.type_text(text);
  hand.end_entry(dice);
  return std::to_string(text.size()) + " bytes";
}

std::string paste(Hand& hand, fuzz::Random& dice) {
  const std::string text = hand.any_text(dice);
  ImGui::SetClipboardText(text.c_str());
  hand.press(ImGuiMod_Ctrl | ImGuiKey_V);
  hand.end_entry(dice);
  return std::to_string(text.size()) + " bytes";
}

// In the palette.
std::string find(Hand& hand, fuzz::Random& dice) {
  const std::vector<Action> all = hand.all_actions();
  std::string text = dice.pick(all).name;
  if (dice.one_in(2)) text = text.substr(0, dice.below(text.size() + 1));  // also within a letter
  if (dice.one_in(2)) text += " " + hand.any_text(dice);
  hand.press(ImGuiMod_Ctrl | ImGuiKey_K);
  hand.type_text(text);
  hand.end_entry(dice);
  return text.substr(0, 60);
}

constexpr std::array<ActKind, 3> kActs = {
    {{"type", 60, type}, {"paste", 20, paste}, {"palette", 20, find}}};

}  // namespace

std::span<const ActKind> text_acts() {
  return kActs;
}

}  // namespace dispersion::monkey
