#pragma once

#include <algorithm>

namespace dispersion {

// Shares the worker's time while training: view work may take `share` of it. Training earns view
// time, view work spends it.
class TimeBudget {
 public:
  bool may_view() const { return credit_ > 0; }

  void trained(double seconds, double share) { add(seconds * share / (1 - share)); }
  void viewed(double seconds) { add(-seconds); }

 private:
  // Neither a long quiet time nor a long drag of a slider is held against what comes after.
  static constexpr double kMostCredit = 0.1;
  static constexpr double kMostDebt = 0.1;

  void add(double seconds) { credit_ = std::clamp(credit_ + seconds, -kMostDebt, kMostCredit); }

  double credit_ = 0;
};

}  // namespace dispersion
