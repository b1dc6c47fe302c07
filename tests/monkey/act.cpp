#include "tests/monkey/act.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "tests/monkey/acts.h"

namespace dispersion::monkey {

const ActKind kRest = {"rest", 16};
const ActKind kRestart = {"restart", 4};

namespace {

const std::vector<const ActKind*>& kinds() {
  static const std::vector<const ActKind*> all = [] {
    std::vector<const ActKind*> kinds = {&kRest, &kRestart};
    for (const auto acts : {pointer_acts(), key_acts(), text_acts(), action_acts(), desk_acts(),
                            window_acts(), file_acts(), device_acts()}) {
      for (const ActKind& kind : acts)
        kinds.push_back(&kind);
    }
    return kinds;
  }();
  return all;
}

std::size_t all_weights() {
  std::size_t all = 0;
  for (const ActKind* kind : kinds())
    all += kind->often;
  return all;
}

}  // namespace

Act next_act(fuzz::Random& random) {
  std::size_t place = random.below(all_weights());
  for (const ActKind* kind : kinds()) {
    if (place < kind->often) return {kind, random.next()};
    place -= kind->often;
  }
  return {};
}

std::string act_text(const Act& act) {
  return std::string(act.kind->name) + " " + std::to_string(act.dice);
}

std::optional<Act> read_act(std::string_view line) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return {};
  const auto kind = std::ranges::find(kinds(), line.substr(0, space), &ActKind::name);
  if (kind == kinds().end()) return {};
  Act act = {*kind, 0};
  const std::string_view dice = line.substr(space + 1);
  const auto [end, error] = std::from_chars(dice.data(), dice.data() + dice.size(), act.dice);
  const bool whole = end == dice.data() + dice.size() || *end == ' ';
  if (error != std::errc() || !whole) return {};
  return act;
}

}  // namespace dispersion::monkey
