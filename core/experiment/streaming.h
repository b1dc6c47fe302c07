#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/attention/streaming_entropy.h"
#include "core/progress.h"

namespace dispersion {

// Appendix G: the entropy of attention, computed while the logits stream by, and the exact one. The
// templates are compiled for float and double. logits: [items].

// Adds one item after the other.
template <class Scalar>
StreamingEntropy<Scalar> stream_entropy(std::span<const float> logits);

// Streams each block by itself and merges the blocks in order. The last block may be cut short.
template <class Scalar>
StreamingEntropy<Scalar> stream_blocks(std::span<const float> logits,
                                       std::span<const std::int64_t> sizes);

// As many blocks of `size` as hold `total` items.
std::vector<std::int64_t> equal_blocks(std::int64_t size, std::int64_t total);

// Streams each half by itself, recursively, and merges the halves. So a long row can be streamed in
// float without the sum of a million rounding errors.
template <class Scalar>
StreamingEntropy<Scalar> stream_pairwise(std::span<const float> logits);

// The two places where the recursion that the appendix prints differs from its derivation.
struct PaperSlips {
  bool sign = false;  // every line for H lacks the minus, so that the result is -H
  // The weight lambda of a new item is computed with the maximum before that item, although the
  // sums are already scaled to the maximum after it. This is right only when the first item is the
  // largest.
  bool maximum = false;
};

// The appendix's recursion for Lambda and K with H = m + log Lambda - K / Lambda, with or without
// its slips. K sums the logits without subtracting the maximum, so that in float a common offset of
// the logits costs digits. Not finite where exp overflows.
template <class Scalar>
Scalar paper_entropy(std::span<const float> logits, PaperSlips slips);

// -sum p log p in two passes over the logits, in long double.
double exact_entropy(std::span<const float> logits);

struct StreamingRow {
  int items = 0;
  double exact = 0;            // nats, as all of these
  double blocks_double = 0;    // sums centred on the maximum, in blocks
  double blocks_float = 0;     // the same in float
  double uncentred_float = 0;  // the paper's recursion without its slips, in float
  double with_sign_slip = 0;   // these three: the paper's recursion in double, with its slips
  double with_maximum_slip = 0;
  double with_both_slips = 0;
};

StreamingRow streaming_row(std::span<const float> logits, int block);
// Returns nothing after a stop. Calls the Progress many times in a pass over a long row.
std::optional<StreamingRow> streaming_row(std::span<const float> logits, int block,
                                          const Progress& keep_going);

// Logits offset + scale U[0, 1), where the uniform numbers are the priorities of the first
// evaluation set with this seed and size.
std::vector<float> uniform_logits(std::uint32_t seed, int items, double scale, double offset);

}  // namespace dispersion
