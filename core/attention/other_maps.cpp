#include "core/attention/other_maps.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <vector>

namespace dispersion {
namespace {

bool is_present(double logit) {
  return logit != -std::numeric_limits<double>::infinity();
}

template <class Scalar>
double largest_logit(std::span<const Scalar> logits) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const Scalar logit : logits)
    largest = std::max(largest, static_cast<double>(logit));
  if (!std::isfinite(largest)) throw std::invalid_argument("at least one logit must be finite");
  return largest;
}

// Logits above the largest minus `reach`, less the largest, in descending order: nothing below can
// get weight, so most of a long row is never sorted.
template <class Scalar>
std::vector<double> contenders(std::span<const Scalar> logits, double largest, double reach) {
  std::vector<double> values;
  for (const Scalar logit : logits) {
    const double value = static_cast<double>(logit) - largest;
    if (value > -reach) values.push_back(value);
  }
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
}

template <class Scalar>
int count_positive(std::span<const Scalar> weights) {
  return static_cast<int>(
      std::count_if(weights.begin(), weights.end(), [](Scalar weight) { return weight > 0; }));
}

}  // namespace

template <class Scalar>
void log_n_softmax(std::span<const Scalar> logits, std::span<Scalar> weights) {
  const double largest = largest_logit(logits);
  const auto present = std::count_if(logits.begin(), logits.end(), is_present);
  const double scale = std::log(static_cast<double>(present));
  const auto exponential = [&](Scalar logit) {
    // A masked logit times log 1 = 0 would be NaN.
    return is_present(logit) ? std::exp(scale * (static_cast<double>(logit) - largest)) : 0.0;
  };
  double sum = 0;
  for (const Scalar logit : logits)
    sum += exponential(logit);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    weights[i] = static_cast<Scalar>(exponential(logits[i]) / sum);
  }
}

template <class Scalar>
int sparsemax(std::span<const Scalar> logits, std::span<Scalar> weights) {
  const double largest = largest_logit(logits);
  double sum = 0;
  double threshold = -1;
  int count = 0;
  for (const double value : contenders(logits, largest, 1)) {
    sum += value;
    ++count;
    // The k largest all have weight while 1 + k z_k > z_1 + ... + z_k.
    if (!(1 + count * value > sum)) break;
    threshold = (sum - 1) / count;
  }
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double value = static_cast<double>(logits[i]) - largest;
    weights[i] = static_cast<Scalar>(std::max(0.0, value - threshold));
  }
  return count_positive<Scalar>(weights);
}

template <class Scalar>
int entmax15(std::span<const Scalar> logits, std::span<Scalar> weights) {
  const double largest = largest_logit(logits);
  double mean = 0;
  double squares = 0;  // sum of squared deviations from the mean, updated as Welford does
  double threshold = -1;
  int count = 0;
  for (const double twice : contenders(logits, largest, 2)) {
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
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double value = (static_cast<double>(logits[i]) - largest) / 2;
    const double above = std::max(0.0, value - threshold);
    weights[i] = static_cast<Scalar>(above * above);
  }
  return count_positive<Scalar>(weights);
}

template <class Scalar>
void top_k_softmax(std::span<const Scalar> logits, int k, std::span<Scalar> weights) {
  if (k < 1) throw std::invalid_argument("k should be 1 or more");
  const double largest = largest_logit(logits);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (is_present(logits[i])) order.push_back(i);
  }
  const std::size_t kept = std::min(order.size(), static_cast<std::size_t>(k));
  const auto before = [&](std::size_t a, std::size_t b) {
    return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                    before);
  order.resize(kept);
  const auto exponential = [&](std::size_t i) {
    return std::exp(static_cast<double>(logits[i]) - largest);
  };
  double sum = 0;
  for (const std::size_t i : order)
    sum += exponential(i);
  std::fill(weights.begin(), weights.end(), Scalar(0));
  for (const std::size_t i : order)
    weights[i] = static_cast<Scalar>(exponential(i) / sum);
}

template void log_n_softmax<float>(std::span<const float>, std::span<float>);
template void log_n_softmax<double>(std::span<const double>, std::span<double>);
template int sparsemax<float>(std::span<const float>, std::span<float>);
template int sparsemax<double>(std::span<const double>, std::span<double>);
template int entmax15<float>(std::span<const float>, std::span<float>);
template int entmax15<double>(std::span<const double>, std::span<double>);
template void top_k_softmax<float>(std::span<const float>, int, std::span<float>);
template void top_k_softmax<double>(std::span<const double>, int, std::span<double>);

}  // namespace dispersion
