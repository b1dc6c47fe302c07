#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tests/fuzz/random.h"

namespace dispersion::monkey {

class Hand;

// A kind of thing that the monkey does. To add one, add a row to the file of its subject,
// SUBJECT_acts.cpp.
struct ActKind {
  std::string_view name;
  std::size_t often = 0;  // of all, by weight
  // Returns what was done, for people. Null for the acts that concern the whole window.
  std::string (*carry_out)(Hand& hand, fuzz::Random& dice) = nullptr;
};

// Waits for the worker, then undoes and does again.
extern const ActKind kRest;
// Closes the window and opens another with what was kept.
extern const ActKind kRestart;

// What the monkey does at a time. All details are drawn from the act's own dice, so that it is the
// same wherever it stands among others, and a list of acts can be cut by hand.
struct Act {
  const ActKind* kind = &kRest;
  std::uint64_t dice = 0;
};

// By how often they are wanted.
Act next_act(fuzz::Random& random);

// "click 17", and back; nothing for what is no act.
std::string act_text(const Act& act);
std::optional<Act> read_act(std::string_view line);

}  // namespace dispersion::monkey
