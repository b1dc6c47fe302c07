#pragma once

#include <algorithm>
#include <chrono>

namespace dispersion {

// How long the calls to a backend are, in multiples of the shortest: they double as long as they
// are quick and halve when they are slow. So a fast path is not cut too fine for its threads, and
// a slow one still hears a cancel. What is computed does not depend on it, only how soon. Begin
// anew for every head and size: the same number of items may take fifty times as long.
class PieceLength {
 public:
  using Seconds = std::chrono::duration<double>;

  PieceLength() = default;
  // Calls quicker than `quick` double, slower than `slow` halve.
  PieceLength(Seconds quick, Seconds slow) : quick_(quick), slow_(slow) {}

  int pieces() const { return pieces_; }

  // Of the last call.
  void took(Seconds time) {
    if (time < quick_) pieces_ = std::min(2 * pieces_, kMost);
    if (time > slow_) pieces_ = std::max(pieces_ / 2, 1);
  }

 private:
  static constexpr int kMost = 256;

  Seconds quick_{0.008};
  Seconds slow_{0.020};
  int pieces_ = 1;
};

}  // namespace dispersion
