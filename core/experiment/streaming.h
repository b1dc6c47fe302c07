#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/attention/streaming_entropy.h"
#include "core/progress.h"

namespace dispersion {

// Appendix F: the entropy of attention while the logits stream by, against the exact one. Float and
// double instantiations of the templates are compiled. logits: [items].

// One item after the other.
template <class Scalar>
StreamingEntropy<Scalar> stream_entropy(std::span<const float> logits);

// Each block by itself, then merged in order. The last block may be cut short.
template <class Scalar>
StreamingEntropy<Scalar> stream_blocks(std::span<const float> logits,
                                       std::span<const std::int64_t> sizes);

// As many blocks of `size` as hold `total` items.
std::vector<std::int64_t> equal_blocks(std::int64_t size, std::int64_t total);

// Halves, each by itself, merged: how a long row is streamed in float without adding up a million
// roundings.
template <class Scalar>
StreamingEntropy<Scalar> stream_pairwise(std::span<const float> logits);

// What the appendix prints differs in two places from what it derives it from.
struct PaperSlips {
  bool sign = false;  // every line for H lacks the minus: the result is -H
  // lambda of a new item is taken with the maximum before it, while the sums are already brought to
  // the maximum with it; right only where the first item is the largest.
  bool maximum = false;
};

// The appendix's recursion for Lambda and K with H = m + log Lambda - K / Lambda, its slips as
// switches. K holds the logits themselves, so that in float an offset of theirs costs digits. Not
// finite where exp overflows.
template <class Scalar>
Scalar paper_entropy(std::span<const float> logits, PaperSlips slips);

// -sum p log p in two passes over the logits, in long double.
double exact_entropy(std::span<const float> logits);

struct StreamingRow {
  int items = 0;
  double exact = 0;            // nats, as all below
  double blocks_double = 0;    // centred, in blocks
  double blocks_float = 0;     // the same in float
  double uncentred_float = 0;  // the paper's recursion without its slips, in float
  double with_sign_slip = 0;   // the paper's recursion in double with one slip, the other, both
  double with_maximum_slip = 0;
  double with_both_slips = 0;
};

StreamingRow streaming_row(std::span<const float> logits, int block);
// Nothing where `keep_going`, which is asked many times in a pass over long rows, says no.
std::optional<StreamingRow> streaming_row(std::span<const float> logits, int block,
                                          const Progress& keep_going);

// offset + scale U[0, 1): the logits of a head that is linear in the priorities of the first
// evaluation set of `items` items of `seed`.
std::vector<float> uniform_logits(std::uint32_t seed, int items, double scale, double offset);

}  // namespace dispersion
