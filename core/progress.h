#pragma once

#include <algorithm>
#include <concepts>
#include <functional>
#include <utility>

namespace dispersion {

// How far long work is, and whether it goes on. The work calls it between its pieces, each of a few
// hundredths of a second at most, with the share done so far in [0, 1]; on false the work stops and
// returns what it has.
class Progress {
 public:
  Progress() = default;  // nobody watches: the work always goes on
  template <std::predicate<double> Report>
  Progress(Report report) : report_(std::move(report)) {}  // NOLINT(google-explicit-constructor)

  bool operator()(double share) const { return !report_ || report_(share); }

  // Progress for a part of the work, which lies from `from` to `to` of the whole.
  Progress part(double from, double to) const {
    return [whole = *this, from, to](double share) { return whole(from + (to - from) * share); };
  }

 private:
  std::function<bool(double)> report_;
};

// How many pieces of work are done in one call, so that a call takes about `seconds`: the number
// doubles while calls are quick and halves when they are slow. So fast work is not cut too fine,
// and slow work still hears a cancel. Results do not depend on it. Begin anew for every head and
// size: the same number of pieces may take fifty times as long.
class TimeSlice {
 public:
  explicit TimeSlice(double seconds = 0.012, int most = 256) : seconds_(seconds), most_(most) {}

  int pieces() const { return pieces_; }

  // A call with `pieces` of at least 1 took `seconds`; it may have had fewer than pieces().
  void took(int pieces, double seconds) {
    const double whole = seconds * pieces_ / pieces;
    if (whole < seconds_ * 2 / 3) pieces_ = std::min(2 * pieces_, most_);
    if (whole > seconds_ * 5 / 3) pieces_ = std::max(pieces_ / 2, 1);
  }

 private:
  double seconds_;
  int most_;
  int pieces_ = 1;
};

}  // namespace dispersion
