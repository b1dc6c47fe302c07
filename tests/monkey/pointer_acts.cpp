// Acts with the mouse.

#include <array>

#include "tests/monkey/acts.h"
#include "tests/monkey/hand.h"

namespace dispersion::monkey {
namespace {

std::string move(Hand& hand, fuzz::Random& dice) {
  const ImVec2 place = hand.any_place(dice);
  hand.point(place);
  hand.frames(1);
  return std::to_string(place.x) + " " + std::to_string(place.y);
}

std::string click_at(Hand& hand, fuzz::Random& dice, ImVec2 place) {
  ImGuiIO& io = ImGui::GetIO();
  const int button = dice.one_in(5) ? static_cast<int>(dice.below(3)) : 0;
  const std::size_t clicks = dice.one_in(5) ? 2 : 1;
  const ImGuiKeyChord modifiers = hand.any_modifiers(dice);
  hand.hold_modifiers(modifiers, true);
  hand.point(place);
  hand.frames(1);
  for (std::size_t i = 0; i < clicks; ++i) {
    io.AddMouseButtonEvent(button, true);
    hand.frames(1);
    io.AddMouseButtonEvent(button, false);
    hand.frames(1);
  }
  hand.hold_modifiers(modifiers, false);
  return std::to_string(place.x) + " " + std::to_string(place.y) + " button " +
         std::to_string(button);
}

std::string click(Hand& hand, fuzz::Random& dice) {
  const ImVec2 place = hand.any_place(dice);
  return click_at(hand, dice, place);
}

std::string click_again(Hand& hand, fuzz::Random& dice) {
  const ImVec2 place = hand.met_place(dice);
  return click_at(hand, dice, place);
}

std::string drag(Hand& hand, fuzz::Random& dice) {
  ImGuiIO& io = ImGui::GetIO();
  const int button = dice.one_in(4) ? 1 : 0;
  hand.point(dice.one_in(2) ? hand.any_place(dice) : hand.met_place(dice));
  hand.frames(1);
  io.AddMouseButtonEvent(button, true);
  hand.frames(1);
  for (std::size_t i = dice.below(4) + 1; i-- > 0;) {
    ImVec2 place = hand.any_place(dice);
    if (dice.one_in(6)) place = {place.x * 5 - 2, place.y * 5 - 2};  // out of the window
    hand.point(place);
    hand.frames(1);
  }
  if (!dice.one_in(20)) io.AddMouseButtonEvent(button, false);  // else it stays held
  hand.frames(1);
  return "button " + std::to_string(button);
}

std::string wheel(Hand& hand, fuzz::Random& dice) {
  const auto turn = static_cast<float>(share(dice) * 20 - 10);
  for (std::size_t i = dice.below(5) + 1; i-- > 0;) {
    ImGui::GetIO().AddMouseWheelEvent(dice.one_in(4) ? turn : 0, turn);
    hand.frames(1);
  }
  return std::to_string(turn);
}

constexpr std::array<ActKind, 5> kActs = {{{"move", 40, move},
                                           {"click", 120, click},
                                           {"click-again", 140, click_again},  // where an item was
                                           {"drag", 60, drag},
                                           {"wheel", 50, wheel}}};

}  // namespace

std::span<const ActKind> pointer_acts() {
  return kActs;
}

}  // namespace dispersion::monkey
