#pragma once

#include <chrono>

namespace dispersion {

// Seconds on a clock that never goes back; only differences mean something.
inline double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace dispersion
