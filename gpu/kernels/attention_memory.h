#pragma once

#include "core/attention/attention_transform.h"
#include "gpu/attention/bf16.h"

namespace dispersion {

// One launch of the attention kernels. Pointers are to device memory.
struct AttentionRows {
  int heads;
  int n;            // queries of a head, and keys
  int first_query;  // of those that this launch takes: a multiple of kAttentionQueries
  int queries;      // that it takes of each head
  bool causal;      // query i sees keys 0 .. i
  AttentionTransform transform;
  float exponent_scale;  // weight = 2^(exponent_scale (q . k - largest)): log2(e) / sqrt(d) / theta
  float* largest;        // [heads, n], as are the others: q . k of the key that has most weight
  float* log_sum_exp;    // of q . k / sqrt(d) / theta
  float* entropy;
  float* beta;
};

template <class Number>  // float or Bf16
struct AttentionMemory {
  AttentionRows rows;
  int channels;
  const Number* q;  // [heads, n, channels], as are k, v and out; aligned to 16 bytes
  const Number* k;
  const Number* v;
  Number* out;
};

// A block takes this many queries of a head past all their keys, a tile of keys at a time.
inline constexpr int kAttentionQueries = 64;
inline constexpr int kAttentionKeys = 64;

}  // namespace dispersion
