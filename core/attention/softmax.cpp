#include "core/attention/softmax.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/math/exponential.h"
#include "core/math/largest.h"

namespace dispersion {
namespace {

// Long sums run in this many lanes, which the compiler turns into vector registers; the lanes are
// added in order at the end. The order of a sum therefore depends on its length alone.
constexpr std::size_t kLanes = 16;

// Below this, exp is exactly 0 in float and double. Keeps -infinity (a masked item) out of
// products.
constexpr double kLowestExponent = -800;

// Sums of exp(t) and of exp(t) t.
struct ExponentialSums {
  double sum = 0;
  double weighted_sum = 0;
};

// t_i = scale (e_i - max), weights[i] = exp(t_i), and their sums in double.
template <class Scalar>
ExponentialSums exponentials(std::span<const Scalar> logits, Scalar max, Scalar scale,
                             std::span<Scalar> weights) {
  double sums[kLanes] = {};
  double weighted[kLanes] = {};
  const auto exponent = [&](std::size_t i) {
    const Scalar t = scale * (logits[i] - max);
    return t > Scalar(kLowestExponent) ? t : Scalar(kLowestExponent);
  };
  std::size_t i = 0;
  for (; i + kLanes <= logits.size(); i += kLanes) {
    for (std::size_t l = 0; l < kLanes; ++l) {
      const Scalar t = exponent(i + l);
      const Scalar weight = exponential(t);
      weights[i + l] = weight;
      sums[l] += static_cast<double>(weight);
      weighted[l] += static_cast<double>(weight * t);
    }
  }
  for (std::size_t l = 0; i < logits.size(); ++i, ++l) {
    const Scalar t = exponent(i);
    const Scalar weight = exponential(t);
    weights[i] = weight;
    sums[l] += static_cast<double>(weight);
    weighted[l] += static_cast<double>(weight * t);
  }
  ExponentialSums result;
  for (std::size_t l = 0; l < kLanes; ++l) {
    result.sum += sums[l];
    result.weighted_sum += weighted[l];
  }
  return result;
}

double entropy_of(const ExponentialSums& sums) {
  return std::log(sums.sum) - sums.weighted_sum / sums.sum;
}

template <class Scalar>
void scale_in_place(std::span<Scalar> values, Scalar factor) {
  for (Scalar& value : values)
    value *= factor;
}

template <class Scalar>
bool all_masked(Scalar max) {
  return max == -std::numeric_limits<Scalar>::infinity();
}

// Equal weights on the items that share the largest logit.
template <class Scalar>
MapResult hard_weights(std::span<const Scalar> logits, Scalar max, std::span<Scalar> weights) {
  const auto ties = static_cast<double>(std::count(logits.begin(), logits.end(), max));
  const Scalar weight = static_cast<Scalar>(1 / ties);
  for (std::size_t i = 0; i < logits.size(); ++i)
    weights[i] = logits[i] == max ? weight : Scalar(0);
  return {0, std::numeric_limits<double>::infinity(), std::log(ties)};
}

}  // namespace

template <class Scalar>
LogitSummary summarise_logits(std::span<const Scalar> logits, double theta) {
  const Scalar max = largest_value(logits);
  if (all_masked(max)) return {-std::numeric_limits<double>::infinity(), 0, 0};
  // In pieces, so that the exponentials need no memory of the row's length.
  constexpr std::size_t kPiece = 512;
  Scalar weights[kPiece];
  ExponentialSums total;
  for (std::size_t i = 0; i < logits.size(); i += kPiece) {
    const auto piece = logits.subspan(i, std::min(kPiece, logits.size() - i));
    const ExponentialSums sums =
        exponentials(piece, max, static_cast<Scalar>(1 / theta), std::span(weights, piece.size()));
    total.sum += sums.sum;
    total.weighted_sum += sums.weighted_sum;
  }
  return {static_cast<double>(max), std::log(total.sum), entropy_of(total)};
}

template <class Scalar>
void softmax(std::span<const Scalar> logits, double theta, double beta, std::span<Scalar> weights) {
  const Scalar max = largest_value(logits);
  if (all_masked(max)) {
    std::fill(weights.begin(), weights.end(), Scalar(0));
    return;
  }
  const ExponentialSums sums =
      exponentials(logits, max, static_cast<Scalar>(beta / theta), weights);
  scale_in_place(weights, static_cast<Scalar>(1 / sums.sum));
}

double map_beta(const AttentionMap& map, double entropy) {
  switch (map.kind) {
    case MapKind::kSoftmax:
      break;
    case MapKind::kAdaptive:
      return adaptive_beta(map.rule, entropy);
    case MapKind::kHard:
      return std::numeric_limits<double>::infinity();
  }
  return 1;
}

namespace {

// As attention_weights; max: the largest logit.
template <class Scalar>
MapResult weights_below(Scalar max, std::span<const Scalar> logits, const AttentionMap& map,
                        std::span<Scalar> weights) {
  if (all_masked(max)) {
    std::fill(weights.begin(), weights.end(), Scalar(0));
    return {};
  }
  if (map.kind == MapKind::kHard) return hard_weights(logits, max, weights);
  ExponentialSums sums = exponentials(logits, max, static_cast<Scalar>(1 / map.theta), weights);
  MapResult result{entropy_of(sums), 1, entropy_of(sums)};
  result.beta = map_beta(map, result.entropy_before);
  if (result.beta != 1) {
    sums = exponentials(logits, max, static_cast<Scalar>(result.beta / map.theta), weights);
    result.entropy = entropy_of(sums);
  }
  scale_in_place(weights, static_cast<Scalar>(1 / sums.sum));
  return result;
}

// Map m is the adaptive form of the plain map before it.
bool sharpens_the_last(std::span<const AttentionMap> maps, std::size_t m) {
  return m > 0 && maps[m].kind == MapKind::kAdaptive && maps[m - 1].kind == MapKind::kSoftmax &&
         maps[m].theta == maps[m - 1].theta;
}

}  // namespace

template <class Scalar>
MapResult attention_weights(std::span<const Scalar> logits, const AttentionMap& map,
                            std::span<Scalar> weights) {
  return weights_below(largest_value(logits), logits, map, weights);
}

bool repeats_weights(std::span<const AttentionMap> maps, std::size_t m, const MapResult& result) {
  return sharpens_the_last(maps, m) && result.beta == 1;
}

void attention_weights(std::span<const float> logits, float max, std::span<const AttentionMap> maps,
                       float* weights, std::span<MapResult> results) {
  for (std::size_t m = 0; m < maps.size(); ++m) {
    const AttentionMap& map = maps[m];
    const std::span<float> row(weights + m * logits.size(), logits.size());
    if (!sharpens_the_last(maps, m) || all_masked(max)) {
      results[m] = weights_below<float>(max, logits, map, row);
      continue;
    }
    results[m] = results[m - 1];
    results[m].beta = map_beta(map, results[m].entropy_before);
    if (repeats_weights(maps, m, results[m])) {
      std::copy_n(row.data() - row.size(), row.size(), row.data());
      continue;
    }
    const ExponentialSums sums =
        exponentials(logits, max, static_cast<float>(results[m].beta / map.theta), row);
    results[m].entropy = entropy_of(sums);
    scale_in_place(row, static_cast<float>(1 / sums.sum));
  }
}

template <class Scalar>
double entropy(std::span<const Scalar> weights) {
  double sum = 0;
  for (const Scalar weight : weights) {
    if (weight > 0) sum -= static_cast<double>(weight) * std::log(static_cast<double>(weight));
  }
  return sum;
}

template <class Scalar>
void attention_weights_backward(std::span<const Scalar> logits, std::span<const Scalar> weights,
                                const AttentionMap& map, const MapResult& result,
                                BetaGradient beta_gradient, std::span<const Scalar> weight_gradient,
                                std::span<Scalar> logit_gradient) {
  if (map.kind == MapKind::kHard) {
    std::fill(logit_gradient.begin(), logit_gradient.end(), Scalar(0));
    return;
  }
  // Weights add up to 1 but for rounding; dividing by their sum makes the logit gradients add up to
  // 0 all the same, however large the mean is.
  double sum = 0;
  double weighted_gradient = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    sum += static_cast<double>(weights[i]);
    weighted_gradient += static_cast<double>(weights[i]) * static_cast<double>(weight_gradient[i]);
  }
  const double scale = result.beta / map.theta;
  const double mean = sum > 0 ? weighted_gradient / sum : 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    logit_gradient[i] = static_cast<Scalar>(scale * static_cast<double>(weights[i]) *
                                            (static_cast<double>(weight_gradient[i]) - mean));
  }
  const double slope = map.kind == MapKind::kAdaptive && beta_gradient == BetaGradient::kThrough
                           ? adaptive_beta_slope(map.rule, result.entropy_before)
                           : 0.0;
  if (slope == 0) return;

  // With s = beta e / theta: dL/dbeta = sum_i dL/ds_i e_i / theta, where any constant may be taken
  // from e because the dL/ds_i add up to 0; dH/d(e_i/theta) = -p_i (log p_i + H), p = softmax(e /
  // theta).
  const LogitSummary summary = summarise_logits(logits, map.theta);
  const double inverse_theta = 1 / map.theta;
  double beta_slope = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    beta_slope += static_cast<double>(weights[i]) *
                  (static_cast<double>(weight_gradient[i]) - mean) *
                  (static_cast<double>(logits[i]) - summary.max) * inverse_theta;
  }
  const double factor = beta_slope * slope * inverse_theta;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double exponent = (static_cast<double>(logits[i]) - summary.max) * inverse_theta;
    if (!(exponent > kLowestExponent)) continue;
    const double log_weight = exponent - summary.log_sum;
    logit_gradient[i] -=
        static_cast<Scalar>(factor * std::exp(log_weight) * (log_weight + summary.entropy));
  }
}

template LogitSummary summarise_logits(std::span<const float>, double);
template LogitSummary summarise_logits(std::span<const double>, double);
template void softmax(std::span<const float>, double, double, std::span<float>);
template void softmax(std::span<const double>, double, double, std::span<double>);
template MapResult attention_weights(std::span<const float>, const AttentionMap&, std::span<float>);
template MapResult attention_weights(std::span<const double>, const AttentionMap&,
                                     std::span<double>);
template double entropy(std::span<const float>);
template double entropy(std::span<const double>);
template void attention_weights_backward(std::span<const float>, std::span<const float>,
                                         const AttentionMap&, const MapResult&, BetaGradient,
                                         std::span<const float>, std::span<float>);
template void attention_weights_backward(std::span<const double>, std::span<const double>,
                                         const AttentionMap&, const MapResult&, BetaGradient,
                                         std::span<const double>, std::span<double>);

}  // namespace dispersion
