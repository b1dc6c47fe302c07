#include "core/attention/softmax.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/attention/transforms.h"
#include "core/math/exponential.h"
#include "core/math/largest.h"

namespace dispersion {
namespace {

// Long sums run in this many lanes, which the compiler turns into vector registers; the lanes are
// added in order at the end. The order of a sum therefore depends on its length alone.
constexpr std::size_t kLanes = 16;

template <class Scalar>
TransformResult plain_weights(const AttentionTransform& transform, const LogitRow<Scalar>& row,
                              std::span<Scalar> weights) {
  const ExponentialSums sums =
      exponentials(row.logits, row.largest, static_cast<Scalar>(1 / transform.theta), weights);
  normalise(sums, weights);
  return {sums.entropy(), 1, sums.entropy()};
}

template <class Scalar>
void plain_backward(const AttentionTransform& transform, const WeightedRow<Scalar>& row,
                    BetaGradient, std::span<const Scalar> weight_gradient,
                    std::span<Scalar> logit_gradient) {
  softmax_backward(row.weights, 1 / transform.theta, weight_gradient, logit_gradient);
}

}  // namespace

double ExponentialSums::entropy() const {
  return std::log(sum) - weighted_sum / sum;
}

template <class Scalar>
ExponentialSums exponentials(std::span<const Scalar> logits, Scalar largest, Scalar scale,
                             std::span<Scalar> weights) {
  double sums[kLanes] = {};
  double weighted[kLanes] = {};
  const auto exponent = [&](std::size_t i) {
    const Scalar t = scale * (logits[i] - largest);
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

template <class Scalar>
void normalise(const ExponentialSums& sums, std::span<Scalar> weights) {
  const auto factor = static_cast<Scalar>(1 / sums.sum);
  for (Scalar& weight : weights)
    weight *= factor;
}

template <class Scalar>
void softmax(std::span<const Scalar> logits, double scale, std::span<Scalar> weights) {
  const Scalar max = largest_value(logits);
  if (max == -std::numeric_limits<Scalar>::infinity()) {
    std::ranges::fill(weights, Scalar(0));
    return;
  }
  normalise(exponentials(logits, max, static_cast<Scalar>(scale), weights), weights);
}

template <class Scalar>
double softmax_backward(std::span<const Scalar> weights, double scale,
                        std::span<const Scalar> weight_gradient, std::span<Scalar> logit_gradient) {
  // Weights add up to 1 but for rounding; dividing by their sum makes the logit gradients add up to
  // 0 all the same, however large the mean is.
  double sum = 0;
  double weighted_gradient = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    sum += static_cast<double>(weights[i]);
    weighted_gradient += static_cast<double>(weights[i]) * static_cast<double>(weight_gradient[i]);
  }
  const double mean = sum > 0 ? weighted_gradient / sum : 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    logit_gradient[i] = static_cast<Scalar>(scale * static_cast<double>(weights[i]) *
                                            (static_cast<double>(weight_gradient[i]) - mean));
  }
  return mean;
}

template <class Scalar>
LogitSummary summarise_logits(std::span<const Scalar> logits, double theta) {
  const Scalar max = largest_value(logits);
  if (max == -std::numeric_limits<Scalar>::infinity())
    return {-std::numeric_limits<double>::infinity(), 0, 0};
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
  return {static_cast<double>(max), std::log(total.sum), total.entropy()};
}

template <class Scalar>
double entropy(std::span<const Scalar> weights) {
  double sum = 0;
  for (const Scalar weight : weights) {
    if (weight != 0) sum -= static_cast<double>(weight) * std::log(static_cast<double>(weight));
  }
  return sum;
}

extern const TransformDefinition kSoftmaxTransform = {
    .id = TransformId::kSoftmax,
    .name = "softmax",
    .label = "softmax",
    .words = "softmax",
    .help = "softmax(e / θ): every item gets some weight.",
    .source = "the paper, equation 1",
    .colour = ColourRole::kBaseline,
    .on_device = true,
    .beta = [](const AttentionTransform&, double, std::int64_t) { return 1.0; },
    .in_float = {plain_weights<float>, plain_backward<float>},
    .in_double = {plain_weights<double>, plain_backward<double>}};

template ExponentialSums exponentials(std::span<const float>, float, float, std::span<float>);
template ExponentialSums exponentials(std::span<const double>, double, double, std::span<double>);
template void normalise(const ExponentialSums&, std::span<float>);
template void normalise(const ExponentialSums&, std::span<double>);
template void softmax(std::span<const float>, double, std::span<float>);
template void softmax(std::span<const double>, double, std::span<double>);
template double softmax_backward(std::span<const float>, double, std::span<const float>,
                                 std::span<float>);
template double softmax_backward(std::span<const double>, double, std::span<const double>,
                                 std::span<double>);
template LogitSummary summarise_logits(std::span<const float>, double);
template LogitSummary summarise_logits(std::span<const double>, double);
template double entropy(std::span<const float>);
template double entropy(std::span<const double>);

}  // namespace dispersion
