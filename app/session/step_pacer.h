#pragma once

#include <algorithm>

namespace dispersion {

// How many pieces of work fit into a slice of time, from how long earlier ones took.
class StepPacer {
 public:
  explicit StepPacer(double slice_seconds) : slice_seconds_(slice_seconds) {}

  // At least 1. Starts at 1 and at most doubles from slice to slice, as the first steps are no
  // measure of the later ones.
  int steps() const { return steps_; }

  // `steps` >= 1 took `seconds`.
  void took(int steps, double seconds) {
    const double fitting = seconds > 0 ? slice_seconds_ * steps / seconds : kMost;
    steps_ = static_cast<int>(std::clamp(fitting, 1.0, std::min(2.0 * steps, kMost)));
  }

 private:
  static constexpr double kMost = 4096;
  double slice_seconds_;
  int steps_ = 1;
};

}  // namespace dispersion
