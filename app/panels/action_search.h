#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/panels/actions_table.h"

namespace dispersion {

// An action that fits what the user has typed.
struct FoundAction {
  const Action* action = nullptr;
  std::vector<std::size_t> matched;  // bytes of the name that were typed, in order
  std::optional<double> number;      // to be set by it
  double score = 0;
};

// The available actions that fit, the best first. Every word must be found in the name, the group
// or the help, where its letters may have others between them in the name alone; θ is found as
// theta, 16 384 as 16384. For "temperature 0.5", the number at the end is for the actions that take
// one. With nothing typed: all of them, in the order of the table.
std::vector<FoundAction> find_actions(std::span<const Action> all, std::string_view typed);

}  // namespace dispersion
