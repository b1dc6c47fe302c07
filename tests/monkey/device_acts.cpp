// What computes: changed, and lost.

#include <array>

#include "tests/monkey/acts.h"
#include "tests/monkey/hand.h"

namespace dispersion::monkey {
namespace {

std::string backend(Hand& hand, fuzz::Random& dice) {
  constexpr std::array<BackendChoice, 4> kChoices = {{{BackendChoice::Kind::kAutomatic, 0},
                                                      {BackendChoice::Kind::kCpu, 0},
                                                      {BackendChoice::Kind::kCuda, 0},
                                                      {BackendChoice::Kind::kCuda, 7}}};
  const BackendChoice choice = dice.pick(kChoices);
  hand.lab().session().send(UseBackendCommand{choice});
  hand.frames(3);
  return backend_name(choice);
}

std::string lose_device(Hand& hand, fuzz::Random& dice) {
  hand.device().lost = true;
  hand.frames(static_cast<int>(dice.below(20)) + 1);
  if (dice.one_in(2)) hand.lab().session().send(GoOnWithCpuCommand{});
  hand.frames(2);
  hand.device().lost = false;
  return "";
}

constexpr std::array<ActKind, 2> kActs = {
    {{"backend", 10, backend}, {"lose-device", 6, lose_device}}};

}  // namespace

std::span<const ActKind> device_acts() {
  return kActs;
}

}  // namespace dispersion::monkey
