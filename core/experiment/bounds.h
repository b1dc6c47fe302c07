#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/experiment/entropy_surface.h"

namespace dispersion {

// What theory says about n softmax weights whose logits lie within delta of one another, at
// d = delta / theta. Infinite where exp(d) is.
struct WeightBounds {
  double lower = 0;        // exp(-d) / n: lemma 2.1
  double sharp_lower = 0;  // exp(-d) / (exp(-d) + n - 1): one low logit, the others high; attained
  double sharp_upper = 0;  // exp(d) / (exp(d) + n - 1): one high logit, the others low; attained
  double upper = 0;        // exp(d) / n: lemma 2.1; says nothing while above 1
};
// d >= 0, items >= 1.
WeightBounds weight_bounds(double d, double items);

// Measured weights of a head at one size between those bounds.
struct BoundsRow {
  int items = 0;
  int sets = 0;
  double mean_delta = 0;       // of the sets
  double delta = 0;            // the largest of them: the delta of the bounds
  double smallest_weight = 0;  // of all sets
  double largest_weight = 0;
  double mean_largest_weight = 0;
  WeightBounds bounds;
  // Sets with a weight outside of the bounds for their own delta, by more than rounding.
  int violations = 0;
};
BoundsRow bounds_row(const SizeLogits& logits, double theta);
// Nothing where `keep_going` says no.
std::optional<BoundsRow> bounds_row(const SizeLogits& logits, double theta,
                                    const Progress& keep_going);

// Proposition on entropy (appendix E): dH / dbeta = -beta Var(e), weights softmax(beta e).
struct EntropySlope {
  double beta = 0;
  double entropy = 0;     // nats
  double formula = 0;     // -beta Var(e)
  double difference = 0;  // (H(beta + s) - H(beta - s)) / 2 s with s = 1e-4 beta
};
// Means over the sets; beta > 0.
EntropySlope entropy_slope(const SizeLogits& logits, double beta);

// beta from 0.05 to 5, by equal factors; those done where `keep_going` says no.
std::vector<EntropySlope> entropy_slopes(const SizeLogits& logits, const Progress& keep_going = {});

// Largest |formula - difference|, of the largest |formula|.
double largest_slope_error(std::span<const EntropySlope> slopes);

}  // namespace dispersion
