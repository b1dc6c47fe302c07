#pragma once

#include <cstddef>

#include "core/attention/attention_map.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// Softmax attention over long sequences on a CUDA device, plain or with the paper's adaptive
// temperature, in memory proportional to the length (appendix F; nothing of size n x n is kept):
//
//   e_ij = q_i . k_j / sqrt(d),  H_i = entropy of softmax(e_i / theta),
//   out_i = sum_j softmax(beta(H_i) e_i / theta)_j v_j
//
// Plain attention (beta = 1) takes one pass over the keys; adaptive attention takes two, the first
// of which finds H. All pointers are to device memory, and all memory is the caller's. float with
// fused multiply-adds and sums of fixed order: the same input gives the same bits in every run,
// and a head the same bits whatever heads are beside it.
struct StreamingAttention {
  int heads = 0;          // 1 to 65,535
  int n = 0;              // queries of a head, and keys; at least 1
  int d = 0;              // channels: 64, 128 or 256
  bool causal = false;    // query i sees keys 0 .. i, else all
  AttentionMap map = {};  // softmax or adaptive

  // [heads, n, d], aligned to 16 bytes; out must not overlap the others.
  const float* q = nullptr;
  const float* k = nullptr;
  const float* v = nullptr;
  float* out = nullptr;

  // [heads, n], one number a row.
  float* largest = nullptr;      // max_j of q_i . k_j, before the division by sqrt(d)
  float* log_sum_exp = nullptr;  // log sum_j exp(e_ij / theta)
  float* entropy = nullptr;      // H_i, nats
  float* beta = nullptr;         // 1 for softmax
};

// Device memory of all the arrays above together, in bytes.
std::size_t streaming_attention_bytes(int heads, int n, int d);

// Puts the work on the stream and does not wait for it. Throws std::invalid_argument that names
// what is wrong with the request; CudaError, also where a block has too little shared memory: d =
// 128 and 256 need compute capability 8.0.
void stream_attention(Stream& stream, const StreamingAttention& request);

}  // namespace dispersion
