#pragma once

#include <optional>

#include "core/experiment/corollary_mixture.h"
#include "core/experiment/item_count.h"

namespace dispersion {

// Where a head first errs on {a, b, ..., b} as n grows and the weight of a falls from 1 to 0. The
// answer may change more than once on that way, so that bisection alone could miss the first
// error. Ranges of n are left out where the answer is proved to be right
// (CorollaryMixture::surely), and the others are halved until they hold one n or are narrower than
// a millionth of n; what is left then is tried at its end.
struct ErrorSearch {
  std::optional<ItemCount> first_error = {};
  double weight = 0;  // of a at first_error
  // No error before first_error (by more than a hundredth of an n from 10^6 on), or none for any n,
  // is proved.
  bool complete = true;
};
ErrorSearch search_first_error(CorollaryMixture& mixture, int right_answer, double d);

}  // namespace dispersion
