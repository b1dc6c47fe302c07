#pragma once

#include <cstdint>
#include <deque>

namespace dispersion {

// Steps per second of wall time over about the last second of training. Keeps its last value while
// nothing trains. Times are in seconds, on any one clock.
class SpeedMeter {
 public:
  // Training starts, or goes on after a pause that does not count.
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

}  // namespace dispersion
