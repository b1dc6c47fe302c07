#pragma once

#include "core/attention/streaming_entropy.h"
#include "gpu/kernels/attention_memory.h"
#include "gpu/kernels/transform_beta.cuh"

namespace dispersion {

// Rows of logits, spread over the threads of a block: 16 neighbouring threads (lanes) share 8 rows,
// and each has every 16th key of them.
inline constexpr int kRowLanes = 16;
inline constexpr int kRowsPerThread = 8;
inline constexpr int kKeysPerThread = kAttentionKeys / kRowLanes;

struct LanePlace {
  __device__ explicit LanePlace(int thread) : group(thread / kRowLanes), lane(thread % kRowLanes) {}
  __device__ int row(int r) const { return r * (kAttentionQueries / kRowsPerThread) + group; }
  __device__ int key(int j) const { return j * kRowLanes + lane; }

  int group;
  int lane;
};

// A row's sums so far: with x = exponent_scale (q . k - largest), sum of 2^x and of 2^x x.
struct RowSums {
  float largest;
  float sum;
  float weighted_sum;
};

// Of every lane, [queries, lanes].
using LaneRows = RowSums[kAttentionQueries][kRowLanes];

__device__ inline RowSums empty_row() {
  return {-INFINITY, 0, 0};
}

// 2^x is 0 from here down. Keeps -infinity, a masked key, out of products; NaN stays NaN.
__device__ inline float bounded_exponent(float x) {
  constexpr float kLowestExponent = -1000;
  return x < kLowestExponent ? kLowestExponent : x;
}

// Moves the sums to a larger maximum: a = 2^shift, sum <- a sum,
// weighted_sum <- a (weighted_sum + shift sum). Returns a.
__device__ inline float raise_largest(float largest, float exponent_scale, RowSums& row) {
  const float shift = bounded_exponent(exponent_scale * (row.largest - largest));
  const float factor = exp2f(shift);
  row.weighted_sum = factor * fmaf(shift, row.sum, row.weighted_sum);
  row.sum *= factor;
  row.largest = largest;
  return factor;
}

__device__ inline float largest_logit(const float (&logits)[kKeysPerThread]) {
  float largest = logits[0];
#pragma unroll
  for (int j = 1; j < kKeysPerThread; ++j)
    largest = fmaxf(largest, logits[j]);
  return largest;
}

// Adds logits, none above row.largest, and turns them into their weights.
__device__ inline void push_logits(float exponent_scale, float (&logits)[kKeysPerThread],
                                   RowSums& row) {
  // While only masked keys came by.
  const float centre = row.largest == -INFINITY ? 0.0f : row.largest;
  float sum = 0;
  float weighted_sum = 0;
#pragma unroll
  for (int j = 0; j < kKeysPerThread; ++j) {
    const float x = bounded_exponent(exponent_scale * (logits[j] - centre));
    logits[j] = exp2f(x);
    sum += logits[j];
    weighted_sum = fmaf(logits[j], x, weighted_sum);
  }
  row.sum += sum;
  row.weighted_sum += weighted_sum;
}

inline constexpr double kLog2 = 0.69314718055994530942;

// Writes the numbers that are stored about a row; whole: of its e / theta.
__device__ inline void write_row(const AttentionRows& memory, float largest,
                                 const StreamingEntropy<double>& whole, long long row) {
  const double entropy = whole.entropy();
  memory.largest[row] = largest;
  memory.log_sum_exp[row] = static_cast<float>(whole.max + whole.log_sum_exp_minus_max());
  memory.entropy[row] = static_cast<float>(entropy);
  memory.beta[row] = static_cast<float>(transform_beta(memory.transform, entropy));
}

// Joins what the lanes have of a row, in order, and writes it.
__device__ inline void finish_row(const AttentionRows& memory, const RowSums* lanes,
                                  long long row) {
  const double scale = static_cast<double>(memory.exponent_scale) * kLog2;
  float largest = lanes[0].largest;
  StreamingEntropy<double> whole;
  for (int l = 0; l < kRowLanes; ++l) {
    largest = fmaxf(largest, lanes[l].largest);
    whole.merge({scale * static_cast<double>(lanes[l].largest), static_cast<double>(lanes[l].sum),
                 kLog2 * static_cast<double>(lanes[l].weighted_sum)});
  }
  write_row(memory, largest, whole, row);
}

// finish_row for every row of a block's tile; rows: shared memory that nothing else reads now.
__device__ inline void finish_rows(const AttentionRows& memory, int head, int first_query,
                                   const LanePlace& place, const RowSums (&own)[kRowsPerThread],
                                   LaneRows& rows) {
  __syncthreads();
#pragma unroll
  for (int r = 0; r < kRowsPerThread; ++r)
    rows[place.row(r)][place.lane] = own[r];
  __syncthreads();
  const int r = static_cast<int>(threadIdx.x);
  if (r >= kAttentionQueries || first_query + r >= memory.n) return;
  finish_row(memory, rows[r], static_cast<long long>(head) * memory.n + first_query + r);
}

}  // namespace dispersion
