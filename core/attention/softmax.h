#pragma once

#include <span>

namespace dispersion {

// Softmax and its parts, which several attention transforms are made of. Float and double
// instantiations of every function are compiled; sums are taken in double in a fixed order. A logit
// of -infinity is a masked item and gets weight exactly 0.

// Sums of exp(t) and of exp(t) t over a row, t <= 0.
struct ExponentialSums {
  double sum = 0;
  double weighted_sum = 0;

  double entropy() const;  // of the weights exp(t) / sum, nats
};

// t_i = scale (e_i - largest), weights[i] = exp(t_i), not divided by their sum yet: [items].
template <class Scalar>
ExponentialSums exponentials(std::span<const Scalar> logits, Scalar largest, Scalar scale,
                             std::span<Scalar> weights);
// Divides such weights by their sum.
template <class Scalar>
void normalise(const ExponentialSums& sums, std::span<Scalar> weights);

// weights = softmax(scale e), centred on the maximum before scaling; scale > 0. logits, weights:
// [items]; 0 for an all-masked row.
template <class Scalar>
void softmax(std::span<const Scalar> logits, double scale, std::span<Scalar> weights);

// Gradient with respect to the logits of weights = softmax(scale e): [items] each. Returns the mean
// of weight_gradient under the weights.
template <class Scalar>
double softmax_backward(std::span<const Scalar> weights, double scale,
                        std::span<const Scalar> weight_gradient, std::span<Scalar> logit_gradient);

// What one pass over a row of logits tells about softmax(e / theta).
struct LogitSummary {
  double max = 0;      // of e, not of e / theta
  double log_sum = 0;  // log sum exp((e - max) / theta)
  double entropy = 0;  // H of softmax(e / theta), nats
};

// An all-masked row: {-infinity, 0, 0}.
template <class Scalar>
LogitSummary summarise_logits(std::span<const Scalar> logits, double theta);

// -sum a log a, nats, with 0 log 0 = 0.
template <class Scalar>
double entropy(std::span<const Scalar> weights);

// Below this, exp is exactly 0 in float and double. Keeps -infinity (a masked item) out of
// products.
inline constexpr double kLowestExponent = -800;

}  // namespace dispersion
