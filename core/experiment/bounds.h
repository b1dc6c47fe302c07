#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/experiment/entropy_surface.h"

namespace dispersion {

// Bounds on softmax weights of n items whose logits differ by at most delta, with d = delta /
// theta. Where exp(d) is infinite, `upper` is too. Delta is the logit spread: that of the logits
// which the head computes, with scale and biases.
struct WeightBounds {
  double lower = 0;        // exp(-d) / n: lemma 2.1
  double sharp_lower = 0;  // exp(-d) / (exp(-d) + n - 1): attained by one low logit among high ones
  double sharp_upper = 0;  // exp(d) / (exp(d) + n - 1): attained by one high logit among low ones
  double upper = 0;        // exp(d) / n: lemma 2.1; no restriction while above 1
};
// d >= 0, items >= 1.
WeightBounds weight_bounds(double d, double items);

// The measured weights of a head at one size, and the bounds on them.
struct BoundsRow {
  int items = 0;
  int sets = 0;
  double mean_delta = 0;       // mean over the sets of the spread of a set's logits
  double delta = 0;            // the largest spread of a set, from which `bounds` follow
  double smallest_weight = 0;  // of all sets
  double largest_weight = 0;
  double mean_largest_weight = 0;
  WeightBounds bounds;
  // Sets with a weight outside the bounds for their own delta, by more than rounding explains (of
  // the logarithms of weights, since the smallest weights are no doubles).
  int violations = 0;
};
BoundsRow bounds_row(const SizeLogits& logits, double theta);
// Returns nothing after a stop.
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

// At 41 values of beta from 0.05 to 5, by equal factors; after a stop, those that were finished.
std::vector<EntropySlope> entropy_slopes(const SizeLogits& logits, const Progress& progress = {});

// The largest |formula|.
double largest_slope(std::span<const EntropySlope> slopes);
// The largest |formula - difference|, relative to the largest |formula|.
double largest_slope_error(std::span<const EntropySlope> slopes);
// How far rounding of H in double alone may put a difference off: a unit in the last place of H,
// divided by the step.
double slope_rounding(std::span<const EntropySlope> slopes);

}  // namespace dispersion
