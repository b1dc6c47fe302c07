#pragma once

#include <cstddef>

#include "core/attention/attention_transform.h"
#include "core/attention/sequence_attention.h"
#include "gpu/attention/bf16.h"
#include "gpu/runtime/most_blocks.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// Queries are attended for in multiples of so many.
inline constexpr int kQueriesTogether = 64;

// Softmax attention over long sequences on a CUDA device, plain or with the paper's adaptive
// temperature, in memory proportional to the length (appendix G; nothing of size n x n is kept):
//
//   e_ij = q_i . k_j / sqrt(d),  H_i = entropy of softmax(e_i / theta),
//   out_i = sum_j softmax(beta(H_i) e_i / theta)_j v_j
//
// Plain attention (beta = 1) takes one pass over the keys; adaptive attention takes two, the first
// of which finds H. All pointers are to device memory, and all memory is the caller's. Sums have a
// fixed order: the same input gives the same bits in every run, and a head the same bits whatever
// heads are beside it.
//
// Number is float, or Bf16 for tensor cores: products of bf16 with sums in float, and the weights
// rounded to bf16 before they meet the values.
template <class Number>
struct StreamingAttention {
  int heads = 0;                      // 1 to 65,535
  int n = 0;                          // queries of a head, and keys; 1 to 2^30
  int d = 0;                          // channels: 64, 128 or 256
  bool causal = false;                // query i sees keys 0 .. i, else all
  AttentionTransform transform = {};  // softmax or adaptive

  // The queries of each head that are attended for; 0 queries: all from first_query on. Long work
  // is cut here, so that what else the device does, and whoever waits for a stop, comes through.
  // Both are multiples of kQueriesTogether, but for queries that end with the last one. What is
  // computed of a query does not depend on them, and of others nothing is written.
  int first_query = 0;
  int queries = 0;

  // Blocks of threads on the device at a time, at least 1. A block takes up to 128 queries past all
  // keys, milliseconds where there are many, and work of a higher priority waits for one to end
  // wherever they hold a multiprocessor. What is computed does not depend on it.
  int most_blocks = kAnyBlocks;

  // [heads, n, d], aligned to 16 bytes; out must not overlap the others.
  const Number* q = nullptr;
  const Number* k = nullptr;
  const Number* v = nullptr;
  Number* out = nullptr;

  // [heads, n], one number a row.
  float* largest = nullptr;      // max_j of q_i . k_j, before the division by sqrt(d)
  float* log_sum_exp = nullptr;  // log sum_j exp(e_ij / theta)
  float* entropy = nullptr;      // H_i, nats
  float* beta = nullptr;         // 1 for softmax
};

// Device memory of all the arrays above together, in bytes.
template <class Number>
std::size_t streaming_attention_bytes(int heads, int n, int d) {
  const auto rows = static_cast<std::size_t>(heads) * static_cast<std::size_t>(n);
  return rows * (4 * static_cast<std::size_t>(d) * sizeof(Number) + 4 * sizeof(float));
}

// What the calling thread's device can really take when `asked` for: bf16 needs kernels that were
// compiled for compute capability 8.0 or newer, and is replaced by floats where there are none.
// Throws CudaError.
AttentionNumbers usable_numbers(AttentionNumbers asked);

// Puts the work on the stream and does not wait for it. Bf16 needs kernels for 8.0 or newer. A
// block needs shared memory, at most 64 KB for floats, with fewer queries a block where there is
// not more, and 96 KB for bf16: what each device has that can run them. Throws
// std::invalid_argument that names what is wrong with the request, std::runtime_error where the
// device, the calling thread's, is too old or has too little shared memory, and CudaError.
void stream_attention(Stream& stream, const StreamingAttention<float>& request);
void stream_attention(Stream& stream, const StreamingAttention<Bf16>& request);

}  // namespace dispersion
