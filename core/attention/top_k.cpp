// Softmax over the k largest logits, the lower index first among ties; the others get weight 0.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "core/attention/softmax.h"
#include "core/attention/transforms.h"

namespace dispersion {
namespace {

constexpr TransformSetting kSettings[] = {{.name = "k",
                                           .label = "items kept k",
                                           .help = "Only so many of the largest logits get weight.",
                                           .low = 1,
                                           .high = 1 << 24,
                                           .usual = 16,
                                           .whole = true}};

// Indices of the `count` largest logits that are not masked, ascending.
template <class Scalar>
std::vector<std::size_t> largest_items(std::span<const Scalar> logits, std::size_t count) {
  constexpr Scalar kMasked = -std::numeric_limits<Scalar>::infinity();
  std::vector<std::size_t> items;
  Scalar least = kMasked;  // of those that are taken
  std::size_t above = 0;   // how many are larger
  if (count < logits.size()) {
    std::vector<Scalar> sorted(logits.begin(), logits.end());
    const auto last = sorted.begin() + static_cast<std::ptrdiff_t>(count) - 1;
    std::nth_element(sorted.begin(), last, sorted.end(), std::greater<>());
    least = *last;
    above = static_cast<std::size_t>(
        std::ranges::count_if(logits, [least](Scalar logit) { return logit > least; }));
  }
  std::size_t equal = count - above;  // that still have a place
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (logits[i] == kMasked || logits[i] < least) continue;
    if (logits[i] == least && least != kMasked) {
      if (equal == 0) continue;
      --equal;
    }
    items.push_back(i);
  }
  return items;
}

template <class Scalar>
TransformResult top_k_weights(const AttentionTransform& transform, const LogitRow<Scalar>& row,
                              std::span<Scalar> weights) {
  const auto count = static_cast<std::size_t>(transform.settings[0]);
  const std::vector<std::size_t> items = largest_items(row.logits, count);
  const auto exponential = [&](std::size_t i) {
    return std::exp((static_cast<double>(row.logits[i]) - static_cast<double>(row.largest)) /
                    transform.theta);
  };
  double sum = 0;
  for (const std::size_t i : items)
    sum += exponential(i);
  std::ranges::fill(weights, Scalar(0));
  for (const std::size_t i : items)
    weights[i] = static_cast<Scalar>(exponential(i) / sum);
  return {0, 1, entropy<Scalar>(weights)};
}

template <class Scalar>
void top_k_backward(const AttentionTransform& transform, const WeightedRow<Scalar>& row,
                    BetaGradient, std::span<const Scalar> weight_gradient,
                    std::span<Scalar> logit_gradient) {
  softmax_backward(row.weights, 1 / transform.theta, weight_gradient, logit_gradient);
}

}  // namespace

extern const TransformDefinition kTopKTransform = {
    .id = TransformId::kTopK,
    .name = "top-k",
    .label = "top-k",
    .words = "top-k attention",
    .help = "Softmax over the k largest logits; all other items get weight 0.",
    .source = "Gupta et al., arXiv 2106.06899",
    .colour = ColourRole::kFourth,
    .mark = Mark::kSquare,
    .settings = kSettings,
    .is_sparse = true,
    .in_float = {top_k_weights<float>, top_k_backward<float>},
    .in_double = {top_k_weights<double>, top_k_backward<double>}};

}  // namespace dispersion
