#pragma once

#include <functional>

namespace dispersion {

// The question that long work asks between its pieces, each of a few hundredths of a second at
// most, with the share done so far in [0, 1]. On false it returns what it has. Empty: never stop.
using KeepGoing = std::function<bool(double share)>;

inline bool may_go_on(const KeepGoing& keep_going, double share) {
  return !keep_going || keep_going(share);
}

}  // namespace dispersion
