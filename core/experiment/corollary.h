#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "core/experiment/item_count.h"
#include "core/head/parameters.h"

namespace dispersion {

// The set {a, b, b, ..., b} of the corollary on reasoning failures (appendix B): one item with the
// largest priority and n - 1 equal ones below it. Everything is computed in double and in closed
// form, so that n may be larger than any set that fits into memory.
struct CorollaryPair {
  double priority_a = 0.8;  // rho_a > rho_b
  double priority_b = 0.2;
  int class_a = 0;
  int class_b = 1;  // other than class_a
  double query = 0.5;
  double theta = 1;
};

// A number format; its epsilon is the unit roundoff, half the distance from 1 to the next number.
struct NumberFormat {
  std::string_view name;
  double epsilon = 0;
};
inline constexpr std::array<NumberFormat, 3> kNumberFormats = {
    {{"fp32", 0x1p-24}, {"bf16", 0x1p-8}, {"fp16", 0x1p-11}}};

struct FormatLimit {
  NumberFormat format;
  ItemCount first = {};  // the first n at which a's weight is below epsilon
  // exp(|d|) / epsilon: for larger n the proof says that every weight is below epsilon. (Its delta
  // is the spread of the logits, |logit_a - logit_b|.)
  ItemCount of_proof = {};
};

struct CorollaryPoint {
  double items = 0;
  double weight = 0;         // of a
  double probability_a = 0;  // of class a, softmax of the class logits
};

struct Corollary {
  CorollaryPair pair;
  double logit_a = 0;  // the attention logits of a and b
  double logit_b = 0;
  double d = 0;            // (logit_a - logit_b) / theta
  int predicted_of_a = 0;  // of the set {a}
  int predicted_of_b = 0;  // of {b, ..., b}
  // The first n at which the head does not answer class a; nothing where none was found.
  std::optional<ItemCount> first_error = {};
  // Whether it is proved that there is no error before, or none at all (corollary_search.h).
  bool search_complete = true;
  int predicted_there = 0;  // the class that it answers at first_error
  double weight_there = 0;  // the weight of a at first_error
  std::array<FormatLimit, 3> limits;
  // n by equal factors, from 1 to ten times the largest above, or to kLargestCount.
  std::vector<CorollaryPoint> curve;
};

// Throws std::invalid_argument unless rho_a > rho_b, the classes differ, the head has both of them
// and theta > 0.
Corollary corollary_of(const Parameters<float>& head, const CorollaryPair& pair);

}  // namespace dispersion
