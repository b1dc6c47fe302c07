#include "core/experiment/streaming.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

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

namespace {

// The classes below take one logit at a time, so that Passes can stop between any two.

// As stream_blocks(), with blocks of equal size.
template <class Scalar>
class BlockStream {
 public:
  explicit BlockStream(int block) : block_(block) {}
  void push(float logit) {
    current_.push(static_cast<Scalar>(logit));
    if (++in_block_ < block_) return;
    total_.merge(std::exchange(current_, {}));
    in_block_ = 0;
  }
  double entropy() const {
    StreamingEntropy<Scalar> total = total_;
    total.merge(current_);
    return static_cast<double>(total.entropy());
  }

 private:
  int block_;
  int in_block_ = 0;
  StreamingEntropy<Scalar> total_;
  StreamingEntropy<Scalar> current_;
};

// As paper_entropy().
template <class Scalar>
class PaperStream {
 public:
  explicit PaperStream(PaperSlips slips) : slips_(slips) {}
  void push(float logit) {
    const Scalar e = static_cast<Scalar>(logit);
    if (sum_ == 0) {  // the first
      max_ = e;
      sum_ = 1;
      weighted_ = e;
      return;
    }
    const Scalar next_max = std::max(max_, e);
    const Scalar scale = std::exp(max_ - next_max);
    const Scalar weight = std::exp(e - (slips_.maximum ? max_ : next_max));
    sum_ = sum_ * scale + weight;
    weighted_ = weighted_ * scale + weight * e;
    max_ = next_max;
  }
  Scalar entropy() const {
    if (sum_ == 0) return 0;
    const Scalar entropy = max_ + std::log(sum_) - weighted_ / sum_;
    return slips_.sign ? -entropy : entropy;
  }

 private:
  PaperSlips slips_;
  Scalar max_ = 0;
  Scalar sum_ = 0;       // Lambda
  Scalar weighted_ = 0;  // K
};

// The first pass of the exact entropy: the sum of exp(e - max).
class WeightSum {
 public:
  explicit WeightSum(long double max) : max_(max) {}
  void push(float logit) { sum_ += std::exp(static_cast<long double>(logit) - max_); }
  long double log_sum() const { return std::log(sum_); }

 private:
  long double max_;
  long double sum_ = 0;
};

// The second pass: -sum p log p.
class ExactEntropy {
 public:
  ExactEntropy(long double max, long double log_sum) : max_(max), log_sum_(log_sum) {}
  void push(float logit) {
    const long double log_weight = static_cast<long double>(logit) - max_ - log_sum_;
    entropy_ -= std::exp(log_weight) * log_weight;
  }
  double entropy() const { return static_cast<double>(entropy_); }

 private:
  long double max_;
  long double log_sum_;
  long double entropy_ = 0;
};

// Sends a row through several streams, one after the other, and calls the Progress on the way.
class Passes {
 public:
  Passes(std::span<const float> logits, int passes, const Progress& keep_going)
      : logits_(logits),
        all_(passes * static_cast<double>(logits.size())),
        keep_going_(keep_going) {}

  // Returns false after a stop, and then for every further stream too.
  template <class Stream>
  bool through(Stream& stream) {
    for (std::size_t first = 0; first < logits_.size(); first += kAtOnce) {
      if (keep_going_.stopped() || !keep_going_(done_ / all_)) return false;
      const auto part = logits_.subspan(first, std::min(kAtOnce, logits_.size() - first));
      for (const float logit : part)
        stream.push(logit);
      done_ += static_cast<double>(part.size());
    }
    return true;
  }

 private:
  static constexpr std::size_t kAtOnce = 1 << 16;
  std::span<const float> logits_;
  double all_;
  double done_ = 0;
  const Progress& keep_going_;
};

long double largest_of(std::span<const float> logits) {
  return static_cast<long double>(*std::ranges::max_element(logits));
}

}  // namespace

template <class Scalar>
Scalar paper_entropy(std::span<const float> logits, PaperSlips slips) {
  PaperStream<Scalar> stream(slips);
  Passes(logits, 1, {}).through(stream);
  return stream.entropy();
}

double exact_entropy(std::span<const float> logits) {
  if (logits.empty()) return 0;
  WeightSum sum(largest_of(logits));
  Passes(logits, 1, {}).through(sum);
  ExactEntropy exact(largest_of(logits), sum.log_sum());
  Passes(logits, 1, {}).through(exact);
  return exact.entropy();
}

StreamingRow streaming_row(std::span<const float> logits, int block) {
  return *streaming_row(logits, block, {});
}

std::optional<StreamingRow> streaming_row(std::span<const float> logits, int block,
                                          const Progress& keep_going) {
  if (logits.empty() || block < 1) {
    throw std::invalid_argument("streaming needs at least 1 item and blocks of at least 1, not " +
                                std::to_string(logits.size()) + " and " + std::to_string(block));
  }
  Passes passes(logits, 8, keep_going);
  WeightSum sum(largest_of(logits));
  if (!passes.through(sum)) return std::nullopt;
  ExactEntropy exact(largest_of(logits), sum.log_sum());
  BlockStream<double> blocks(block);
  BlockStream<float> float_blocks(block);
  PaperStream<float> uncentred({});
  PaperStream<double> sign({.sign = true});
  PaperStream<double> maximum({.maximum = true});
  PaperStream<double> both({.sign = true, .maximum = true});
  if (!passes.through(exact) || !passes.through(blocks) || !passes.through(float_blocks) ||
      !passes.through(uncentred) || !passes.through(sign) || !passes.through(maximum) ||
      !passes.through(both)) {
    return std::nullopt;
  }
  return StreamingRow{.items = static_cast<int>(logits.size()),
                      .exact = exact.entropy(),
                      .blocks_double = blocks.entropy(),
                      .blocks_float = float_blocks.entropy(),
                      .uncentred_float = static_cast<double>(uncentred.entropy()),
                      .with_sign_slip = sign.entropy(),
                      .with_maximum_slip = maximum.entropy(),
                      .with_both_slips = both.entropy()};
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
