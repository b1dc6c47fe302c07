#pragma once

#include "core/attention/attention_transform.h"
#include "gpu/attention/bf16.h"

namespace dispersion {

// Work for the attention kernels, or the part of it that a launch takes. Pointers are to device
// memory.
struct AttentionRows {
  int first_head;  // of those that this launch takes
  int heads;
  int n;            // queries of a head, and keys
  int first_query;  // of those that it takes of each head
  int queries;
  bool causal;  // query i sees keys 0 .. i
  AttentionTransform transform;
  double scale;  // e / theta = scale q . k: 1 / sqrt(d) / theta
  // weight = 2^(exponent_scale (q . k - largest)): scale log2(e), between kSmallestScale and the
  // largest float.
  float exponent_scale;
  float* largest;      // [heads, n], as are the others: q . k of the key that has most weight
  float* log_sum_exp;  // of q . k / sqrt(d) / theta
  float* entropy;
  float* beta;
};

template <class Number>  // float or Bf16
struct AttentionMemory {
  AttentionRows rows;
  int channels;
  int most_blocks;  // of a launch
  const Number* q;  // [heads, n, channels], as are k, v and out; aligned to 16 bytes
  const Number* k;
  const Number* v;
  Number* out;
};

// Stands for a logit q . k that a query does not see. Finite, so that neither a difference from it
// nor its product with a weight of 0 is NaN; at any scale that is possible its weight is 0 as soon
// as the row has a visible key, and every row has one.
inline constexpr float kMaskedLogit = -1e38f;
// The weights of logits up to 1e22 apart are 1 in float at this scale already.
inline constexpr float kSmallestScale = 1e-30f;

}  // namespace dispersion
