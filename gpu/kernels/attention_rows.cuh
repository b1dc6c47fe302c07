#pragma once

#include "core/attention/streaming_entropy.h"
#include "gpu/kernels/attention_memory.h"
#include "gpu/kernels/block.cuh"
#include "gpu/kernels/tensor_core.cuh"
#include "gpu/kernels/transform_beta.cuh"

namespace dispersion {

// A row's sums so far, in one thread. Weights are 2^(exponent_scale (l - largest)) of logits
// l = q . k. What they are weighted with is the difference and not the exponent, which may be
// infinite where the weight is 0.
struct LaneSums {
  float largest = kMaskedLogit;
  float sum = 0;           // of the weights
  float weighted_sum = 0;  // of weight (l - largest)
};

// Moves the sums to a maximum that is no smaller: with s the shift and a = 2^(exponent_scale s),
// sum <- a sum, weighted_sum <- a (weighted_sum + s sum). Returns a.
__device__ inline float raise_largest(float largest, float exponent_scale, LaneSums& row) {
  const float shift = row.largest - largest;
  const float factor = fast_exp2(exponent_scale * shift);
  row.weighted_sum = factor * fmaf(shift, row.sum, row.weighted_sum);
  row.sum *= factor;
  row.largest = largest;
  return factor;
}

// The largest over so many neighbouring lanes, a power of two; each of them gets it.
template <int kLanes>
__device__ inline float largest_of_lanes(float value) {
#pragma unroll
  for (int distance = kLanes / 2; distance > 0; distance /= 2)
    value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, distance));
  return value;
}

template <int kCount>
__device__ inline float largest_logit(const float (&logits)[kCount]) {
  float largest = logits[0];
#pragma unroll
  for (int j = 1; j < kCount; ++j)
    largest = fmaxf(largest, logits[j]);
  return largest;
}

// Turns logits into their weights and returns the sum of these.
template <int kCount>
__device__ inline float weigh(float exponent_scale, float largest, float (&logits)[kCount]) {
  float sum = 0;
#pragma unroll
  for (int j = 0; j < kCount; ++j) {
    logits[j] = fast_exp2(exponent_scale * (logits[j] - largest));
    sum = j == 0 ? logits[j] : sum + logits[j];
  }
  return sum;
}

// Adds logits, none above row.largest, and turns them into their weights.
template <int kCount>
__device__ inline void push_logits(float exponent_scale, float (&logits)[kCount], LaneSums& row) {
  float sum = 0;
  float weighted_sum = 0;
#pragma unroll
  for (int j = 0; j < kCount; ++j) {
    const float difference = logits[j] - row.largest;
    logits[j] = fast_exp2(exponent_scale * difference);
    sum = j == 0 ? logits[j] : sum + logits[j];
    weighted_sum = fmaf(logits[j], difference, weighted_sum);
  }
  row.sum += sum;
  row.weighted_sum += weighted_sum;
}

// Adds recent sums, whose largest logit is at least that of the whole, and begins new ones.
__device__ inline void collect(float exponent_scale, LaneSums& recent, LaneSums& whole) {
  raise_largest(recent.largest, exponent_scale, whole);
  whole.sum += recent.sum;
  whole.weighted_sum += recent.weighted_sum;
  recent.sum = recent.weighted_sum = 0;
}

inline constexpr double kLog2 = 0.69314718055994530942;

// As of e / theta, at the scale that the weights were taken at.
__device__ inline StreamingEntropy<double> entropy_of(const AttentionRows& memory,
                                                      const LaneSums& row) {
  const double scale = kLog2 * static_cast<double>(memory.exponent_scale);
  return {scale * static_cast<double>(row.largest), static_cast<double>(row.sum),
          scale * static_cast<double>(row.weighted_sum)};
}

// Writes the numbers that are stored about a row.
__device__ inline void write_row(const AttentionRows& memory, float largest,
                                 const StreamingEntropy<double>& whole, long long row) {
  const double entropy = whole.entropy();
  memory.largest[row] = largest;
  memory.log_sum_exp[row] = static_cast<float>(memory.scale * static_cast<double>(largest) +
                                               whole.log_sum_exp_minus_max());
  memory.entropy[row] = static_cast<float>(entropy);
  memory.beta[row] = static_cast<float>(transform_beta(memory.transform, entropy));
}

// exponent_scale with the row's beta, of which it is the scale of the second pass.
__device__ inline float second_scale(const AttentionRows& memory, long long row) {
  constexpr float kLargest = 3.4028234663852886e38f;  // infinity times a difference of 0 is NaN
  return fminf(memory.exponent_scale * memory.beta[row], kLargest);
}

}  // namespace dispersion
