// What the desktop does with the window.

#include <GLFW/glfw3.h>

#include <array>

#include "tests/monkey/acts.h"
#include "tests/monkey/hand.h"

namespace dispersion::monkey {
namespace {

Size any_size(fuzz::Random& dice) {
  constexpr std::array<Size, 12> kSizes = {{{1, 1},
                                            {1, 4000},
                                            {4000, 1},
                                            {240, 160},
                                            {320, 200},
                                            {640, 480},
                                            {800, 600},
                                            {1024, 600},
                                            {1280, 720},
                                            {1280, 800},
                                            {1440, 900},
                                            {900, 1600}}};
  const Size size = dice.pick(kSizes);
  if (dice.one_in(12)) return dice.one_in(2) ? Size{7680, 4320} : Size{3840, 2160};
  if (!dice.one_in(4)) return size;
  const int width = static_cast<int>(dice.below(1920)) + 1;
  return {width, static_cast<int>(dice.below(1200)) + 1};
}

std::string resize(Hand& hand, fuzz::Random& dice) {
  const Size size = any_size(dice);
  hand.lab().window().resize(size);
  hand.frames(2);
  // Large ones take a second a frame without a graphics card.
  if (size.width * size.height > 3'000'000) hand.lab().window().resize({1280, 800});
  hand.frames(1);
  return std::to_string(size.width) + " x " + std::to_string(size.height);
}

std::string scale(Hand& hand, fuzz::Random& dice) {
  constexpr std::array<float, 5> kScales = {0.5F, 1, 1.25F, 2, 3};
  const float scale = dice.pick(kScales);
  hand.in_frame([&] { hand.app().view.ui_scale = scale; });
  hand.frames(1);
  return std::to_string(scale);
}

std::string minimise(Hand& hand, fuzz::Random& dice) {
  glfwIconifyWindow(hand.lab().window().handle());
  hand.frames(static_cast<int>(dice.below(20)) + 1);
  glfwRestoreWindow(hand.lab().window().handle());
  hand.frames(2);
  return "";
}

std::string focus(Hand& hand, fuzz::Random& dice) {
  ImGui::GetIO().AddFocusEvent(false);
  hand.frames(static_cast<int>(dice.below(4)) + 1);
  ImGui::GetIO().AddFocusEvent(true);
  hand.frames(1);
  return "";
}

constexpr std::array<ActKind, 4> kActs = {
    {{"resize", 24, resize}, {"scale", 10, scale}, {"minimise", 6, minimise}, {"focus", 6, focus}}};

}  // namespace

std::span<const ActKind> window_acts() {
  return kActs;
}

}  // namespace dispersion::monkey
