// Softmax of the logits times log n: softmax(e ln n / (theta ln n0)), n = number of items that are
// not masked (Chiang & Cholak, arXiv 2202.12172, where n0 = e). With n0 the largest size that the
// head was trained on, logits are as they were there.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attention/softmax.h"
#include "core/attention/transforms.h"

namespace dispersion {
namespace {

constexpr TransformSetting kSettings[] = {
    {.name = "n0",
     .label = "trained size n₀",
     .help = "Logits are multiplied by ln n / ln n₀, which is 1 for sets of n₀ items.",
     .low = 2,
     .high = 1 << 24,
     .usual = 16}};

double log_n_beta(const AttentionTransform& transform, double, std::int64_t items) {
  return std::log(static_cast<double>(items)) / std::log(transform.settings[0]);
}

template <class Scalar>
TransformResult log_n_weights(const AttentionTransform& transform, const LogitRow<Scalar>& row,
                              std::span<Scalar> weights) {
  const auto masked = std::ranges::count(row.logits, -std::numeric_limits<Scalar>::infinity());
  const double beta =
      log_n_beta(transform, 0, static_cast<std::int64_t>(row.logits.size()) - masked);
  const ExponentialSums sums =
      exponentials(row.logits, row.largest, static_cast<Scalar>(beta / transform.theta), weights);
  normalise(sums, weights);
  return {0, beta, sums.entropy()};
}

template <class Scalar>
void log_n_backward(const AttentionTransform& transform, const WeightedRow<Scalar>& row,
                    BetaGradient, std::span<const Scalar> weight_gradient,
                    std::span<Scalar> logit_gradient) {
  softmax_backward(row.weights, row.result.beta / transform.theta, weight_gradient, logit_gradient);
}

}  // namespace

extern const TransformDefinition kLogNTransform = {
    .id = TransformId::kLogN,
    .name = "log-n",
    .label = "log n",
    .words = "log n scaling",
    .help = "Softmax of the logits times ln n / ln n₀: the temperature falls as items are added.",
    .source = "Chiang and Cholak, arXiv 2202.12172",
    .colour = ColourRole::kThird,
    .mark = Mark::kRing,
    .settings = kSettings,
    .beta = log_n_beta,
    .in_float = {log_n_weights<float>, log_n_backward<float>},
    .in_double = {log_n_weights<double>, log_n_backward<double>}};

}  // namespace dispersion
