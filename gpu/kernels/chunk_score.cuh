#pragma once

#include "gpu/kernels/block.cuh"
#include "gpu/kernels/chunk_sums.cuh"
#include "gpu/kernels/compensated_sum.cuh"
#include "gpu/kernels/evaluation_items.cuh"
#include "gpu/kernels/transform_weight.cuh"

namespace dispersion {

struct LargestPriority {
  float priority;
  int item;
  int item_class;
  int items;
};

// The larger priority; of equal ones the first item, and how many there are.
__device__ inline LargestPriority join_priorities(const LargestPriority& a,
                                                  const LargestPriority& b) {
  const bool take_a = a.priority > b.priority || (a.priority == b.priority && a.item < b.item);
  LargestPriority result = take_a ? a : b;
  if (a.priority == b.priority) result.items = a.items + b.items;
  return result;
}

struct ChunkExtremes {
  float largest;
  float smallest;
  LargestPriority priority;
};

__device__ inline ChunkExtremes join_extremes(const ChunkExtremes& a, const ChunkExtremes& b) {
  return {a.largest > b.largest ? a.largest : b.largest,
          a.smallest < b.smallest ? a.smallest : b.smallest,
          join_priorities(a.priority, b.priority)};
}

struct ScoreShared {
  ChunkExtremes extremes[kMostWarps];
  ChunkSums sums;
};

// The thread's logits to memory.logits.
template <int kItems>
__device__ inline void store_logits(const float (&logits)[kItems], const ChunkPlace& chunk,
                                    float constant, const EvaluationMemory& memory) {
  float* to = memory.logits + static_cast<long long>(chunk.set) * memory.sets.items + chunk.begin;
#pragma unroll
  for (int j = 0; j < kItems; ++j) {
    const int i = item_of_thread(j);
    if (i < chunk.count) to[i] = logits[j] + constant;
  }
}

// Sums over a chunk of `count` items, by all threads of the block: logits[j] is that of
// item_of_thread(j), if there is one; `priority` is the largest of the thread's.
template <int kItems>
__device__ inline void score_chunk(const EvaluationTransforms& transforms,
                                   const float (&logits)[kItems], int count,
                                   const LargestPriority& priority, ScoreShared& shared,
                                   ChunkScore& score) {
  const int warps = static_cast<int>(blockDim.x) / kWarp;
  ChunkExtremes extremes{-INFINITY, INFINITY, priority};
#pragma unroll
  for (int j = 0; j < kItems; ++j) {
    const bool there = item_of_thread(j) < count;
    extremes.largest = there && logits[j] > extremes.largest ? logits[j] : extremes.largest;
    extremes.smallest = there && logits[j] < extremes.smallest ? logits[j] : extremes.smallest;
  }
  extremes = block_join(extremes, shared.extremes, warps, join_extremes);
  float below[kItems];  // past the end minus infinity, which has no weight
#pragma unroll
  for (int j = 0; j < kItems; ++j)
    below[j] = item_of_thread(j) < count ? logits[j] - extremes.largest : -INFINITY;
  for (int m = 0; m < transforms.count; ++m) {
    const TransformWeight transform{transforms.inverse_theta[m], false};
    CompensatedSum sum;
    CompensatedSum weighted;
#pragma unroll
    for (int j = 0; j < kItems; ++j) {
      const WeightPoint point = transform.at(below[j]);
      sum.add(point.weight);
      weighted.add(point.weight * point.exponent);
    }
    shared.sums.put(m, sum.value(), weighted.value());
  }
  __syncthreads();
  shared.sums.total(transforms.count, score.sum, score.weighted_sum);
  if (threadIdx.x != 0) return;
  score.largest = extremes.largest;
  score.smallest = extremes.smallest;
  score.priority = extremes.priority.priority;
  score.priority_item = extremes.priority.item;
  score.priority_items = extremes.priority.items;
  score.priority_class = extremes.priority.item_class;
}

}  // namespace dispersion
