// Sparsemax: the Euclidean projection of e / theta onto the simplex (Martins & Astudillo,
// arXiv 1602.02068): [z - tau]_+ with tau such that the weights add up to 1.

#include "core/attention/contenders.h"
#include "core/attention/softmax.h"

namespace dispersion {
namespace {

double threshold_of(const std::vector<double>& descending) {
  double sum = 0;
  double threshold = -1;
  int count = 0;
  for (const double value : descending) {
    sum += value;
    ++count;
    // The k largest all have weight while 1 + k z_k > z_1 + ... + z_k.
    if (!(1 + count * value > sum)) break;
    threshold = (sum - 1) / count;
  }
  return threshold;
}

template <class Scalar>
TransformResult sparsemax_weights(const AttentionTransform& transform, const LogitRow<Scalar>& row,
                                  std::span<Scalar> weights) {
  const double threshold = threshold_of(contenders(row, transform.theta, 1));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double value =
        (static_cast<double>(row.logits[i]) - static_cast<double>(row.largest)) / transform.theta;
    weights[i] = static_cast<Scalar>(positive_part(value - threshold));
  }
  return {0, 1, entropy<Scalar>(weights)};
}

// On the support S: (g_i - mean over S of g) / theta; elsewhere 0 (proposition 2 of the paper).
template <class Scalar>
void sparsemax_backward(const AttentionTransform& transform, const WeightedRow<Scalar>& row,
                        BetaGradient, std::span<const Scalar> weight_gradient,
                        std::span<Scalar> logit_gradient) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < row.weights.size(); ++i) {
    if (!(row.weights[i] > 0)) continue;
    sum += static_cast<double>(weight_gradient[i]);
    ++count;
  }
  const double mean = count > 0 ? sum / count : 0;
  for (std::size_t i = 0; i < row.weights.size(); ++i) {
    const double gradient = (static_cast<double>(weight_gradient[i]) - mean) / transform.theta;
    logit_gradient[i] = row.weights[i] > 0 ? static_cast<Scalar>(gradient) : Scalar(0);
  }
}

}  // namespace

extern const TransformDefinition kSparsemaxTransform = {
    .id = TransformId::kSparsemax,
    .name = "sparsemax",
    .label = "sparsemax",
    .words = "sparsemax",
    .help =
        "The point of the simplex that is nearest to e / θ: items far below the largest get "
        "weight 0.",
    .source = "Martins and Astudillo, arXiv 1602.02068",
    .colour = ColourRole::kFifth,
    .mark = Mark::kTriangle,
    .is_sparse = true,
    .in_float = {sparsemax_weights<float>, sparsemax_backward<float>},
    .in_double = {sparsemax_weights<double>, sparsemax_backward<double>}};

}  // namespace dispersion
