#include "core/experiment/streaming.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/task/item_sets.h"

namespace dispersion {

template <class Scalar>
StreamingEntropy<Scalar> stream_entropy(std::span<const float> logits) {
  StreamingEntropy<Scalar> entropy;
  for (const float logit : logits)
    entropy.push(static_cast<Scalar>(logit));
  return entropy;
}

template <class Scalar>
StreamingEntropy<Scalar> stream_blocks(std::span<const float> logits,
                                       std::span<const std::int64_t> sizes) {
  StreamingEntropy<Scalar> total;
  std::size_t done = 0;
  for (const std::int64_t size : sizes) {
    const std::size_t count = std::min(static_cast<std::size_t>(size), logits.size() - done);
    total.merge(stream_entropy<Scalar>(logits.subspan(done, count)));
    done += count;
  }
  return total;
}

std::vector<std::int64_t> equal_blocks(std::int64_t size, std::int64_t total) {
  return std::vector<std::int64_t>(static_cast<std::size_t>((total + size - 1) / size), size);
}

template <class Scalar>
StreamingEntropy<Scalar> stream_pairwise(std::span<const float> logits) {
  constexpr std::size_t kLeaf = 256;
  if (logits.size() <= kLeaf) return stream_entropy<Scalar>(logits);
  const std::size_t half = logits.size() / 2;
  StreamingEntropy<Scalar> total = stream_pairwise<Scalar>(logits.first(half));
  total.merge(stream_pairwise<Scalar>(logits.subspan(half)));
  return total;
}

template <class Scalar>
Scalar paper_entropy(std::span<const float> logits, PaperSlips slips) {
  if (logits.empty()) return 0;
  Scalar max = static_cast<Scalar>(logits.front());
  Scalar sum = 1;         // Lambda
  Scalar weighted = max;  // K
  for (const float logit : logits.subspan(1)) {
    const Scalar e = static_cast<Scalar>(logit);
    const Scalar next_max = std::max(max, e);
    const Scalar scale = std::exp(max - next_max);
    const Scalar weight = std::exp(e - (slips.maximum ? max : next_max));
    sum = sum * scale + weight;
    weighted = weighted * scale + weight * e;
    max = next_max;
  }
  const Scalar entropy = max + std::log(sum) - weighted / sum;
  return slips.sign ? -entropy : entropy;
}

double exact_entropy(std::span<const float> logits) {
  if (logits.empty()) return 0;
  const auto max = static_cast<long double>(*std::ranges::max_element(logits));
  long double sum = 0;
  for (const float logit : logits)
    sum += std::exp(static_cast<long double>(logit) - max);
  const long double log_sum = std::log(sum);
  long double entropy = 0;
  for (const float logit : logits) {
    const long double log_weight = static_cast<long double>(logit) - max - log_sum;
    entropy -= std::exp(log_weight) * log_weight;
  }
  return static_cast<double>(entropy);
}

StreamingRow streaming_row(std::span<const float> logits, int block) {
  if (logits.empty() || block < 1) {
    throw std::invalid_argument("streaming needs at least 1 item and blocks of at least 1, not " +
                                std::to_string(logits.size()) + " and " + std::to_string(block));
  }
  const auto items = static_cast<std::int64_t>(logits.size());
  const std::vector<std::int64_t> blocks = equal_blocks(block, items);
  return {.items = static_cast<int>(items),
          .exact = exact_entropy(logits),
          .blocks_double = stream_blocks<double>(logits, blocks).entropy(),
          .blocks_float = static_cast<double>(stream_blocks<float>(logits, blocks).entropy()),
          .uncentred_float = static_cast<double>(paper_entropy<float>(logits, {})),
          .with_sign_slip = paper_entropy<double>(logits, {.sign = true}),
          .with_maximum_slip = paper_entropy<double>(logits, {.maximum = true}),
          .with_both_slips = paper_entropy<double>(logits, {.sign = true, .maximum = true})};
}

std::vector<float> uniform_logits(std::uint32_t seed, int items, double scale, double offset) {
  ItemSets sets;
  sets.resize(1, items);
  draw_item_sets(seed, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(items), 0, sets);
  std::vector<float> logits;
  for (const float priority : sets.priority)
    logits.push_back(static_cast<float>(offset + scale * static_cast<double>(priority)));
  return logits;
}

template StreamingEntropy<float> stream_entropy(std::span<const float>);
template StreamingEntropy<double> stream_entropy(std::span<const float>);
template StreamingEntropy<float> stream_blocks(std::span<const float>,
                                               std::span<const std::int64_t>);
template StreamingEntropy<double> stream_blocks(std::span<const float>,
                                                std::span<const std::int64_t>);
template StreamingEntropy<float> stream_pairwise(std::span<const float>);
template StreamingEntropy<double> stream_pairwise(std::span<const float>);
template float paper_entropy(std::span<const float>, PaperSlips);
template double paper_entropy(std::span<const float>, PaperSlips);

}  // namespace dispersion
