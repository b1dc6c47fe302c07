#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>

namespace dispersion {

// Seconds on a clock that never goes back; only differences have a meaning.
inline double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Divides the worker's time while training: computing the picture may take `share` of it. Training
// earns time for the picture, and computing the picture spends it.
class TimeBudget {
 public:
  bool may_view() const { return credit_ > 0; }

  void trained(double seconds, double share) { add(seconds * share / (1 - share)); }
  void viewed(double seconds) { add(-seconds); }

 private:
  // Limits in seconds, so that neither a long time without changes of the picture nor a long drag
  // of a slider has an effect on what comes after.
  static constexpr double kMostCredit = 0.1;
  static constexpr double kMostDebt = 0.1;

  void add(double seconds) { credit_ = std::clamp(credit_ + seconds, -kMostDebt, kMostCredit); }

  double credit_ = 0;
};

// Steps per second of wall time over about the last second of training. Keeps its last value while
// nothing trains. Times are in seconds, on any one clock.
class SpeedMeter {
 public:
  // Training starts, or continues after a pause, which does not count.
  void start(double now) { samples_.assign(1, {now, 0}); }

  void add(double now, std::int64_t steps) {
    if (samples_.empty()) return;
    samples_.push_back({now, samples_.back().steps + steps});
    while (samples_.size() > 2 && samples_[1].time <= now - kWindow)
      samples_.pop_front();
    const double seconds = now - samples_.front().time;
    if (seconds > 0) {
      per_second_ = static_cast<double>(samples_.back().steps - samples_.front().steps) / seconds;
    }
  }

  double per_second() const { return per_second_; }

 private:
  static constexpr double kWindow = 1;
  struct Sample {
    double time = 0;
    std::int64_t steps = 0;  // since start()
  };
  std::deque<Sample> samples_;
  double per_second_ = 0;
};

// A running mean over about the last kReach values, in which newer values weigh more. The weights
// are normalised, so that the mean has no bias towards its first value.
class Smoothed {
 public:
  void add(double value) {
    sum_ = (1 - 1 / kReach) * sum_ + value;
    weight_ = (1 - 1 / kReach) * weight_ + 1;
  }

  double mean() const { return weight_ > 0 ? sum_ / weight_ : 0; }

 private:
  static constexpr double kReach = 50;
  double sum_ = 0;
  double weight_ = 0;
};

}  // namespace dispersion
