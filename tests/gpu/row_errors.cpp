#include "tests/gpu/row_errors.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/attention/softmax.h"
#include "core/math/area.h"
#include "device_arithmetic.h"

namespace dispersion {
namespace {

constexpr int kKeysOfSum = 512;  // after which the sums in bf16 begin anew

// How often the largest logit of a lane rises at most, on the way past the keys. Lanes have pairs
// of every 8 keys in bf16 and every 16th in float; where they share a largest, it rises no oftener
// than for one lane with all keys.
int rises_of_lanes(const std::vector<double>& logits, bool bf16) {
  int most = 0;
  const auto count = [&](auto takes) {
    int rises = 0;
    double largest = -INFINITY;
    for (std::size_t j = 0; j < logits.size(); ++j) {
      if (!takes(j) || logits[j] <= largest) continue;
      largest = logits[j];
      ++rises;
    }
    most = std::max(most, rises);
  };
  count([](std::size_t) { return true; });
  for (std::size_t lane = 0; lane < (bf16 ? 4 : 16); ++lane)
    count([&](std::size_t j) { return (bf16 ? j % 8 / 2 : j % 16) == lane; });
  return most;
}

}  // namespace

RowSizes row_sizes(const SequenceAttention& attention, const Sequences& sequences, int head,
                   int query) {
  const auto d = static_cast<std::size_t>(attention.d);
  const std::size_t first = area(head, attention.n);
  const float* q = sequences.q.data() + (first + static_cast<std::size_t>(query)) * d;
  std::vector<double> logits(static_cast<std::size_t>(attention.causal ? query + 1 : attention.n));
  RowSizes sizes{-INFINITY, 0, 0, 0};
  for (std::size_t j = 0; j < logits.size(); ++j) {
    const float* k = sequences.k.data() + (first + j) * d;
    double dot = 0;
    for (std::size_t i = 0; i < d; ++i) {
      const double product = static_cast<double>(q[i]) * static_cast<double>(k[i]);
      dot += product;
      sizes.partial = std::max({sizes.partial, std::abs(product), std::abs(dot)});
    }
    sizes.largest = std::max(sizes.largest, dot);
    logits[j] = dot / std::sqrt(static_cast<double>(d));
  }
  const double theta = attention.transform.theta;
  const LogitSummary summary = summarise_logits<double>(logits, theta);
  for (const double logit : logits) {
    const double log_p = (logit - summary.max) / theta - summary.log_sum;
    sizes.entropy_slope += std::exp(log_p) * std::abs(1 - (log_p + summary.entropy));
  }
  const bool bf16 = attention.numbers == AttentionNumbers::kBf16;
  sizes.exponentials = 2 + rises_of_lanes(logits, bf16) + attention.n / kKeysOfSum;
  return sizes;
}

RowErrors device_errors(const SequenceAttention& attention, const RowSizes& sizes) {
  const double of_product =
      attention.numbers == AttentionNumbers::kBf16 ? emulation::kTensorSumError : 0;
  const double weight = emulation::kExponentialError * sizes.exponentials;
  // A weight and the sum that it is divided by; the sum of as many products as there are keys.
  return {of_product * attention.d * sizes.partial / std::sqrt(attention.d), weight,
          2 * weight + of_product * attention.n};
}

}  // namespace dispersion
