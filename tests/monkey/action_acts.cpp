// Rows of the table of actions, carried out as buttons and palette do.

#include <array>
#include <cstdint>

#include "tests/monkey/acts.h"
#include "tests/monkey/hand.h"

namespace dispersion::monkey {
namespace {

std::string action(Hand& hand, fuzz::Random& dice) {
  const std::vector<Action> all = hand.all_actions();
  const std::string id = dice.pick(all).id;
  hand.run(id);
  hand.frames(1);
  return id;
}

std::string number(Hand& hand, fuzz::Random& dice) {
  std::vector<Action> all = hand.all_actions();
  std::erase_if(all, [](const Action& row) { return !row.number || !row.available; });
  const Action& row = dice.pick(all);
  const ActionNumber& number = *row.number;
  double value = number.low + share(dice) * (number.high - number.low);
  if (dice.one_in(4)) value = number.low;
  if (dice.one_in(4)) value = number.high;
  if (number.whole) value = static_cast<double>(static_cast<std::int64_t>(value));
  hand.in_frame([&] { number.set(hand.actor(), value); });
  hand.frames(1);
  return row.id + " " + std::to_string(value);
}

// Several commands of training at once.
std::string run(Hand& hand, fuzz::Random& dice) {
  constexpr std::array<std::string_view, 6> kIds = {"run.play",   "run.play",     "run.step",
                                                    "run.rewind", "run.new_seed", "run.bring_back"};
  return hand.run_some(kIds, 6, dice);
}

constexpr std::array<ActKind, 3> kActs = {
    {{"action", 90, action}, {"number", 60, number}, {"run", 30, run}}};

}  // namespace

std::span<const ActKind> action_acts() {
  return kActs;
}

}  // namespace dispersion::monkey
