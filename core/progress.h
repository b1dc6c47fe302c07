#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

namespace dispersion {

// Tells whoever waits how far long work is, and tells the work whether to go on. The work calls its
// Progress between pieces of a few hundredths of a second at most, on the thread that started it,
// with the share done so far in [0, 1]. Once the answer is false, the work asks no more and returns
// what it has; other comments call this a stop.
class Progress {
 public:
  // Nobody waits: the work always goes on.
  Progress() = default;
  // `report` gets the share done of the whole work and returns whether to go on.
  template <std::predicate<double> Report>
  Progress(Report report)  // NOLINT(google-explicit-constructor)
      : watch_(std::make_shared<Watch>(std::move(report))) {}

  bool operator()(double share) const {
    if (!watch_) return true;
    const bool go_on = watch_->report(std::lerp(from_, to_, std::clamp(share, 0.0, 1.0)));
    watch_->stopped = watch_->stopped || !go_on;
    return !watch_->stopped;
  }

  // Whether the answer was ever false, of this Progress, of its parts or of what it is a part of.
  bool stopped() const { return watch_ && watch_->stopped; }

  // Progress for the part of this work that lies between two shares of it.
  Progress part(double from, double to) const {
    Progress part = *this;
    part.from_ = std::lerp(from_, to_, from);
    part.to_ = std::lerp(from_, to_, to);
    return part;
  }

 private:
  struct Watch {
    explicit Watch(std::function<bool(double)> to) : report(std::move(to)) {}
    std::function<bool(double)> report;
    bool stopped = false;
  };

  std::shared_ptr<Watch> watch_;  // shared by copies and parts; null: nobody waits
  double from_ = 0;               // of the whole work
  double to_ = 1;
};

// Thrown by a backend in the middle of a call on very large sets, once a stop is requested of the
// stop token that it was made with. What the call computed is lost; what calls before it computed
// is not, and whoever called returns that.
class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped"; }
};

// Chooses how many pieces of work to do in one call, so that a call takes about `seconds`: the
// number doubles while calls are quick and halves when they are slow. So fast work is not cut too
// fine, and slow work still learns in time that it must stop. Results must not depend on the number
// of pieces. Each head and each size needs a new TimeSlice, since a piece of one may take fifty
// times as long as a piece of another.
class TimeSlice {
 public:
  explicit TimeSlice(double seconds = 0.012, int most = 256) : seconds_(seconds), most_(most) {}

  int pieces() const { return pieces_; }

  // Takes note that a call with `pieces` of them, at least 1 and perhaps fewer than pieces(), took
  // `seconds`.
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
