// Hard attention, the limit theta -> 0: equal weights on the items that share the largest logit.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attention/transforms.h"

namespace dispersion {
namespace {

template <class Scalar>
TransformResult hard_weights(const AttentionTransform&, const LogitRow<Scalar>& row,
                             std::span<Scalar> weights) {
  const auto ties = static_cast<double>(std::ranges::count(row.logits, row.largest));
  const Scalar weight = static_cast<Scalar>(1 / ties);
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] = row.logits[i] == row.largest ? weight : Scalar(0);
  return {0, std::numeric_limits<double>::infinity(), std::log(ties)};
}

// The weights are constant between ties.
template <class Scalar>
void hard_backward(const AttentionTransform&, const WeightedRow<Scalar>&, BetaGradient,
                   std::span<const Scalar>, std::span<Scalar> logit_gradient) {
  std::ranges::fill(logit_gradient, Scalar(0));
}

}  // namespace

extern const TransformDefinition kHardTransform = {
    .id = TransformId::kHard,
    .name = "hard",
    .label = "hard, θ → 0",
    .words = "hard attention",
    .help = "All weight on the largest logit, shared where several are the largest.",
    .source = "the limit of softmax(e / θ) as θ goes to 0",
    .colour = ColourRole::kNeutral,
    .mark = Mark::kCross,
    .has_theta = false,
    .is_sparse = true,
    .on_device = true,
    .in_float = {hard_weights<float>, hard_backward<float>},
    .in_double = {hard_weights<double>, hard_backward<double>}};

}  // namespace dispersion
