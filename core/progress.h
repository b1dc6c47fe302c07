#pragma once

#include <algorithm>
#include <concepts>
#include <functional>
#include <utility>

namespace dispersion {

// Reports how far a long computation is, and tells it whether to go on. The computation calls it
// between pieces of a few hundredths of a second at most, with the share done so far in [0, 1].
// When it returns false, the computation stops and returns what it has.
class Progress {
 public:
  Progress() = default;  // ignores reports; the computation always goes on
  template <std::predicate<double> Report>
  Progress(Report report) : report_(std::move(report)) {}  // NOLINT(google-explicit-constructor)

  bool operator()(double share) const { return !report_ || report_(share); }

  // The progress of a part of the computation, which covers the shares `from` to `to` of the whole.
  Progress part(double from, double to) const {
    return [whole = *this, from, to](double share) { return whole(from + (to - from) * share); };
  }

 private:
  std::function<bool(double)> report_;
};

// Chooses how many pieces of work to do between two reports of progress, so that they take about
// `seconds`: the number doubles while they are faster and halves when they are slower. Thus fast
// work has little overhead, and slow work still notices a cancel. Results do not depend on it. Use
// a new object for every head and size, since a piece may take fifty times as long there.
class TimeSlice {
 public:
  explicit TimeSlice(double seconds = 0.012, int most = 256) : seconds_(seconds), most_(most) {}

  int pieces() const { return pieces_; }

  // Tells the time that `pieces` took, at least 1 and possibly fewer than pieces().
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
