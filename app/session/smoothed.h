#pragma once

namespace dispersion {

// Mean over about the last kReach values, the newest counting most; from the first value on a
// proper mean, with no pull towards where it started.
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
