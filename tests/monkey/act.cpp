#include "tests/monkey/act.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

namespace dispersion::monkey {
namespace {

struct KindRow {
  Kind kind;
  std::string_view name;
  std::size_t often;
};
constexpr std::array<KindRow, 26> kKinds = {{{Kind::kMove, "move", 40},
                                             {Kind::kClick, "click", 120},
                                             {Kind::kClickAgain, "click-again", 140},
                                             {Kind::kDrag, "drag", 60},
                                             {Kind::kWheel, "wheel", 50},
                                             {Kind::kKey, "key", 100},
                                             {Kind::kChord, "chord", 80},
                                             {Kind::kAction, "action", 90},
                                             {Kind::kNumber, "number", 60},
                                             {Kind::kType, "type", 60},
                                             {Kind::kPaste, "paste", 20},
                                             {Kind::kFind, "find", 20},
                                             {Kind::kState, "state", 20},
                                             {Kind::kUndo, "undo", 30},
                                             {Kind::kRun, "run", 30},
                                             {Kind::kResize, "resize", 24},
                                             {Kind::kScale, "scale", 10},
                                             {Kind::kMinimise, "minimise", 6},
                                             {Kind::kFocus, "focus", 6},
                                             {Kind::kDrop, "drop", 16},
                                             {Kind::kSave, "save", 6},
                                             {Kind::kExport, "export", 6},
                                             {Kind::kBackend, "backend", 6},
                                             {Kind::kLoseDevice, "lose-device", 4},
                                             {Kind::kRest, "rest", 16},
                                             {Kind::kRestart, "restart", 4}}};

constexpr std::size_t all_rows() {
  std::size_t all = 0;
  for (const KindRow& row : kKinds)
    all += row.often;
  return all;
}

}  // namespace

Act next_act(fuzz::Random& random) {
  std::size_t place = random.below(all_rows());
  for (const KindRow& row : kKinds) {
    if (place < row.often) return {row.kind, random.next()};
    place -= row.often;
  }
  return {};
}

std::string_view kind_name(Kind kind) {
  return std::ranges::find(kKinds, kind, &KindRow::kind)->name;
}

std::string act_text(const Act& act) {
  return std::string(kind_name(act.kind)) + " " + std::to_string(act.dice);
}

std::optional<Act> read_act(std::string_view line) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return {};
  const auto* const row = std::ranges::find(kKinds, line.substr(0, space), &KindRow::name);
  if (row == kKinds.end()) return {};
  Act act = {row->kind, 0};
  const std::string_view dice = line.substr(space + 1);
  const auto [end, error] = std::from_chars(dice.data(), dice.data() + dice.size(), act.dice);
  const bool whole = end == dice.data() + dice.size() || *end == ' ';
  if (error != std::errc() || !whole) return {};
  return act;
}

}  // namespace dispersion::monkey
