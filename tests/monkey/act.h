#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tests/fuzz/random.h"

namespace dispersion::monkey {

// What the monkey does at a time. All details are drawn from the act's own dice, so that it is the
// same wherever it stands among others, and a list of acts can be cut by hand.
enum class Kind {
  kMove,
  kClick,
  kClickAgain,  // where an item was met before
  kDrag,
  kWheel,
  kKey,
  kChord,   // of the table of actions
  kAction,  // a row of that table
  kNumber,  // the number of such a row
  kType,
  kPaste,
  kFind,   // in the palette
  kState,  // copies or opens one
  kUndo,
  kRun,  // several commands of training at once
  kResize,
  kScale,
  kMinimise,
  kFocus,
  kDrop,
  kSave,
  kExport,
  kBackend,
  kLoseDevice,
  kRest,     // waits for the worker, then undoes and redoes
  kRestart,  // closes the window and opens another with what was kept
};

struct Act {
  Kind kind = Kind::kRest;
  std::uint64_t dice = 0;
};

// By how often they are wanted.
Act next_act(fuzz::Random& random);

std::string_view kind_name(Kind kind);
// "click 17", and back; nothing for what is no act.
std::string act_text(const Act& act);
std::optional<Act> read_act(std::string_view line);

}  // namespace dispersion::monkey
