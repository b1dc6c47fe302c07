// 1.5-entmax (Peters et al., arXiv 1905.05702): [z / 2 - tau]_+^2 of z = e / theta, tau exact by
// sorting.

#include <cmath>

#include "core/attention/contenders.h"
#include "core/attention/softmax.h"

namespace dispersion {
namespace {

double threshold_of(const std::vector<double>& descending) {
  double mean = 0;
  double squares = 0;  // sum of squared deviations from the mean, updated as Welford does
  double threshold = -1;
  int count = 0;
  for (const double twice : descending) {
    const double value = twice / 2;
    ++count;
    const double step = value - mean;
    mean += step / count;
    squares += step * (value - mean);
    // tau solves sum over the k largest of (z - tau)^2 = 1; the support ends where tau passes z_k.
    if (squares > 1) break;
    const double candidate = mean - std::sqrt((1 - squares) / count);
    if (candidate > value) break;
    threshold = candidate;
  }
  return threshold;
}

template <class Scalar>
TransformResult entmax15_weights(const AttentionTransform& transform, const LogitRow<Scalar>& row,
                                 std::span<Scalar> weights) {
  const double threshold = threshold_of(contenders(row, transform.theta, 2));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double value = (static_cast<double>(row.logits[i]) - static_cast<double>(row.largest)) /
                         transform.theta / 2;
    const double above = positive_part(value - threshold);
    weights[i] = static_cast<Scalar>(above * above);
  }
  return {0, 1, entropy<Scalar>(weights)};
}

// With s_i = sqrt(a_i): s_i (g_i - sum s g / sum s) / theta (section 4 of the paper).
template <class Scalar>
void entmax15_backward(const AttentionTransform& transform, const WeightedRow<Scalar>& row,
                       BetaGradient, std::span<const Scalar> weight_gradient,
                       std::span<Scalar> logit_gradient) {
  const auto root = [&](std::size_t i) { return std::sqrt(static_cast<double>(row.weights[i])); };
  double sum = 0;
  double weighted = 0;
  for (std::size_t i = 0; i < row.weights.size(); ++i) {
    sum += root(i);
    weighted += root(i) * static_cast<double>(weight_gradient[i]);
  }
  const double mean = sum > 0 ? weighted / sum : 0;
  for (std::size_t i = 0; i < row.weights.size(); ++i) {
    logit_gradient[i] = static_cast<Scalar>(
        root(i) * (static_cast<double>(weight_gradient[i]) - mean) / transform.theta);
  }
}

}  // namespace

extern const TransformDefinition kEntmax15Transform = {
    .id = TransformId::kEntmax15,
    .name = "entmax-1.5",
    .label = "entmax-1.5",
    .words = "entmax-1.5",
    .help =
        "Between softmax and sparsemax: the square of how far e / (2 θ) lies above a threshold.",
    .source = "Peters, Niculae and Martins, arXiv 1905.05702",
    .colour = ColourRole::kSixth,
    .mark = Mark::kDiamond,
    .is_sparse = true,
    .in_float = {entmax15_weights<float>, entmax15_backward<float>},
    .in_double = {entmax15_weights<double>, entmax15_backward<double>}};

}  // namespace dispersion
