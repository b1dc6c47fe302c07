#pragma once

#include "core/math/exponential.h"
#include "gpu/kernels/block.cuh"
#include "gpu/kernels/evaluation_items.cuh"

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

struct ScoreShared {
  float value[kWidth / kWarp];
  int count[kWidth / kWarp];
  double sum[kWidth / kWarp];
  LargestPriority priority[kWidth / kWarp];
};

// Sums over a chunk whose logits lie in shared memory, by all threads of a block of kWidth.
__device__ inline void score_chunk(const EvaluationTransforms& transforms, const float* logits,
                                   int count, LargestPriority priority, ScoreShared& shared,
                                   ChunkScore& score) {
  const int thread = static_cast<int>(threadIdx.x);
  float largest = -INFINITY;
  float smallest = INFINITY;
  for (int i = thread; i < count; i += kWidth) {
    largest = logits[i] > largest ? logits[i] : largest;
    smallest = logits[i] < smallest ? logits[i] : smallest;
  }
  largest = block_largest(largest, shared.value);
  smallest = -block_largest(-smallest, shared.value);
  int ties = 0;
  for (int i = thread; i < count; i += kWidth)
    ties += logits[i] == largest ? 1 : 0;
  ties = block_sum(ties, shared.count);
  priority = block_join(priority, shared.priority, join_priorities);
  if (thread == 0) {
    score.largest = largest;
    score.smallest = smallest;
    score.largest_items = ties;
    score.priority = priority.priority;
    score.priority_item = priority.item;
    score.priority_items = priority.items;
    score.priority_class = priority.item_class;
  }
  for (int m = 0; m < transforms.count; ++m) {
    const float scale = static_cast<float>(1 / transforms.transform[m].theta);
    double sum = 0;
    double weighted = 0;
    for (int i = thread; i < count; i += kWidth) {
      const float t = scale * (logits[i] - largest);
      const float weight = exponential(t);
      sum += static_cast<double>(weight);
      weighted += static_cast<double>(weight * t);
    }
    sum = block_sum(sum, shared.sum);
    weighted = block_sum(weighted, shared.sum);
    if (thread == 0) {
      score.sum[m] = sum;
      score.weighted_sum[m] = weighted;
    }
  }
}

}  // namespace dispersion
