#pragma once

#include <map>
#include <string>
#include <utility>

#include "core/head/parameters.h"
#include "core/precision/rounding.h"
#include "tests/statements/claims.h"

namespace dispersion {

// What is true of a head in every precision, and of a perfect argmax on rounded priorities.

// Formulas in double agree to this, in percent, and sums over powers of up to 2^20 to the other.
inline constexpr double kDouble = 1e-9;
inline constexpr double kSums = 1e-7;

// How many sets are so, and of how many rounding decides.
struct SetCount {
  int right = 0;
  int open = 0;
  int sets = 0;

  Truth share() const { return {100.0 * right / sets, 100.0 * open / sets + kDouble}; }
};

// What is true of a head in one of the precisions.
struct Answers {
  SetCount right;        // answers
  SetCount argmax = {};  // the largest logit sits on the largest priority
  Truth entropy = {};
};

// A head in one of the precisions, on so many evaluation sets of seed 1. Labels are those of the
// unrounded priorities.
Answers answers(const Parameters<float>& head, const std::string& precision, int items, int count);

// The accuracy of a perfect argmax on priorities that `Round` (RoundToBf16 or RoundToFp16) rounds:
// the mean of 1/K over the number K of items on the largest rounded priority, times 9/10, and a
// tenth.
template <class Round = RoundToBf16>
double perfect_accuracy(int items);

// Wilson's interval from its definition: the shares p whose test does not reject the observed one.
std::pair<double, double> wilson(double right, double trials);

// The baseline row of the paper's Table 1, in percent, by n.
const std::map<int, double>& paper_baseline();

}  // namespace dispersion
