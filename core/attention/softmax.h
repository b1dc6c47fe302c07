#pragma once

#include <cstddef>
#include <span>

#include "core/attention/attention_map.h"

namespace dispersion {

// Float and double instantiations of every function are compiled; sums are taken in double in a
// fixed order. A logit of -infinity is a masked item and gets weight exactly 0. An all-masked row
// gets weights 0.

// What one pass over a row of logits tells about softmax(e / theta).
struct LogitSummary {
  double max = 0;      // of e, not of e / theta
  double log_sum = 0;  // log sum exp((e - max) / theta)
  double entropy = 0;  // H of softmax(e / theta), nats
};

template <class Scalar>
LogitSummary summarise_logits(std::span<const Scalar> logits, double theta);

// weights = softmax(beta e / theta), centred on the maximum before scaling.
// logits, weights: [items]; beta > 0, theta > 0.
template <class Scalar>
void softmax(std::span<const Scalar> logits, double theta, double beta, std::span<Scalar> weights);

// beta of a map for a row: 1 for plain softmax, beta(H) for adaptive, infinite for hard attention.
double map_beta(const AttentionMap& map, double entropy);

// What a map did to a row.
struct MapResult {
  double entropy_before = 0;  // H of softmax(e / theta): what the rule sees; 0 for hard attention
  double beta = 1;            // infinite for hard attention
  double entropy = 0;         // H of the map's weights
};

// weights = map(logits), [items].
template <class Scalar>
MapResult attention_weights(std::span<const Scalar> logits, const AttentionMap& map,
                            std::span<Scalar> weights);

// Every map of a row in turn, as above, without doing anything twice: an adaptive map that follows
// the plain one of the same theta takes its entropy, and its weights where beta is 1. largest: of
// the logits; weights: [maps, items]; results: [maps].
void attention_weights(std::span<const float> logits, float largest,
                       std::span<const AttentionMap> maps, float* weights,
                       std::span<MapResult> results);

// Whether map m has the very weights of the map before it: it is adaptive and left beta at 1.
bool repeats_weights(std::span<const AttentionMap> maps, std::size_t m, const MapResult& result);

// -sum a log a, nats, with 0 log 0 = 0.
template <class Scalar>
double entropy(std::span<const Scalar> weights);

// Whether the gradient flows through beta(H) (the JAX listing has no stop-gradient) or takes beta
// as a constant.
enum class BetaGradient { kThrough, kStopped };

// Gradient of a loss with respect to the logits, given its gradient with respect to the weights; 0
// for hard attention, whose weights are constant between ties.
// logits, weights (= map(logits)), weight_gradient, logit_gradient: [items].
template <class Scalar>
void attention_weights_backward(std::span<const Scalar> logits, std::span<const Scalar> weights,
                                const AttentionMap& map, const MapResult& result,
                                BetaGradient beta_gradient, std::span<const Scalar> weight_gradient,
                                std::span<Scalar> logit_gradient);

}  // namespace dispersion
