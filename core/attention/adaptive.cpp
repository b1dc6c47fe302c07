// The paper's adaptive temperature: softmax(beta(H) e / theta) with H the entropy of
// softmax(e / theta). The effective temperature is theta / beta.

#include <algorithm>
#include <cmath>

#include "core/attention/softmax.h"
#include "core/attention/transforms.h"

namespace dispersion {
namespace {

template <class Scalar>
TransformResult adaptive_weights(const AttentionTransform& transform, const LogitRow<Scalar>& row,
                                 std::span<Scalar> weights) {
  const bool plain = row.plain_index >= 0;
  ExponentialSums sums;
  TransformResult result;
  if (plain) {
    result = row.plain_result;
  } else {
    sums = exponentials(row.logits, row.largest, static_cast<Scalar>(1 / transform.theta), weights);
    result.entropy_before = result.entropy = sums.entropy();
  }
  result.beta = adaptive_beta(transform.rule, result.entropy_before);
  if (plain && result.beta == 1) {
    std::copy_n(row.plain_weights, weights.size(), weights.data());
    result.repeats = row.plain_index;
    return result;
  }
  if (result.beta != 1) {
    sums = exponentials(row.logits, row.largest, static_cast<Scalar>(result.beta / transform.theta),
                        weights);
    result.entropy = sums.entropy();
  }
  normalise(sums, weights);
  return result;
}

template <class Scalar>
void adaptive_backward(const AttentionTransform& transform, const WeightedRow<Scalar>& row,
                       BetaGradient beta_gradient, std::span<const Scalar> weight_gradient,
                       std::span<Scalar> logit_gradient) {
  const TransformResult& result = row.result;
  const double mean =
      softmax_backward(row.weights, result.beta / transform.theta, weight_gradient, logit_gradient);
  const double slope = beta_gradient == BetaGradient::kThrough
                           ? adaptive_beta_slope(transform.rule, result.entropy_before)
                           : 0.0;
  if (slope == 0) return;

  // With s = beta e / theta: dL/dbeta = sum_i dL/ds_i e_i / theta, where any constant may be taken
  // from e because the dL/ds_i add up to 0; dH/d(e_i/theta) = -p_i (log p_i + H), p = softmax(e /
  // theta).
  const LogitSummary summary = summarise_logits(row.logits, transform.theta);
  const double inverse_theta = 1 / transform.theta;
  double beta_slope = 0;
  for (std::size_t i = 0; i < row.weights.size(); ++i) {
    if (row.weights[i] == 0) continue;
    beta_slope += static_cast<double>(row.weights[i]) *
                  (static_cast<double>(weight_gradient[i]) - mean) *
                  (static_cast<double>(row.logits[i]) - summary.max) * inverse_theta;
  }
  const double factor = beta_slope * slope * inverse_theta;
  for (std::size_t i = 0; i < row.weights.size(); ++i) {
    const double exponent = (static_cast<double>(row.logits[i]) - summary.max) * inverse_theta;
    if (!(exponent > kLowestExponent)) continue;
    const double log_weight = exponent - summary.log_sum;
    logit_gradient[i] -=
        static_cast<Scalar>(factor * std::exp(log_weight) * (log_weight + summary.entropy));
  }
}

}  // namespace

extern const TransformDefinition kAdaptiveTransform = {
    .id = TransformId::kAdaptive,
    .name = "adaptive",
    .label = "adaptive θ",
    .words = "adaptive temperature",
    .help =
        "Lets θ follow the entropy H of each row: θ = 1/β(H), at most 1, so that dispersed "
        "attention is sharpened again.",
    .source = "the paper, section 3, figures 4 and 6",
    .colour = ColourRole::kAdaptive,
    .has_rule = true,
    .on_device = true,
    .beta = [](const AttentionTransform& transform, double entropy,
               std::int64_t) { return adaptive_beta(transform.rule, entropy); },
    .in_float = {adaptive_weights<float>, adaptive_backward<float>},
    .in_double = {adaptive_weights<double>, adaptive_backward<double>}};

}  // namespace dispersion
