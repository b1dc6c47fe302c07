#pragma once

#include <climits>

#include "core/math/exponential.h"
#include "gpu/kernels/block.cuh"
#include "gpu/kernels/block_product.cuh"
#include "gpu/kernels/group_view.cuh"

namespace dispersion {

// Attention of the sets of a tile by item, [kSets, largest_set]; in shared memory where it fits.
struct SetItems {
  double* logits;
  float* weights;
  float* gradient;  // d / d weights, then d / d logits
};

inline constexpr int kSetItemBytes = sizeof(double) + 2 * sizeof(float);

// Up to kSets sets of a batch, in one block of kProductThreads threads.
template <int kSets>
struct SetTile {
  const GroupMemory& group;
  int head;
  int first;   // set
  int count;   // sets
  int items;   // of a set
  int points;  // nodes of a class and of the query; 0 on the direct path
  int queries;
  SetItems attention;

  __device__ int set(int s) const { return head * group.recipe.sets + first + s; }
  // Index of an item in arrays of the group, [heads, sets, largest_set], and in those of the tile.
  __device__ long long in_group(int s, int i) const {
    return static_cast<long long>(set(s)) * group.recipe.largest_set + i;
  }
  __device__ int in_tile(int s, int i) const { return s * group.recipe.largest_set + i; }
};

// Attention weights of a set from its logits, by a warp; the largest logit is taken off in double.
// Sets of up to a warp's lanes are what matters: the loops are not unrolled.
template <int kSets>
__device__ inline void softmax_set(const SetTile<kSets>& tile, int s) {
  const int lane = lane_of_thread();
  const double* logits = tile.attention.logits + tile.in_tile(s, 0);
  float* weights = tile.attention.weights + tile.in_tile(s, 0);
  double top = -INFINITY;
#pragma unroll 1
  for (int i = lane; i < tile.items; i += kWarp)
    top = logits[i] > top ? logits[i] : top;
  top = warp_largest(top);
  double sum = 0;
#pragma unroll 1
  for (int i = lane; i < tile.items; i += kWarp) {
    const float weight = exponential(static_cast<float>(logits[i] - top));
    weights[i] = weight;
    sum += static_cast<double>(weight);
  }
  const float inverse = static_cast<float>(1 / warp_sum(sum));
#pragma unroll 1
  for (int i = lane; i < tile.items; i += kWarp)
    weights[i] *= inverse;
}

// From d / d weights to d / d logits, in place.
template <int kSets>
__device__ inline void softmax_backward_set(const SetTile<kSets>& tile, int s) {
  const int lane = lane_of_thread();
  const float* weights = tile.attention.weights + tile.in_tile(s, 0);
  float* gradient = tile.attention.gradient + tile.in_tile(s, 0);
  double sum = 0;
  double weighted = 0;
#pragma unroll 1
  for (int i = lane; i < tile.items; i += kWarp) {
    sum += static_cast<double>(weights[i]);
    weighted += static_cast<double>(weights[i]) * static_cast<double>(gradient[i]);
  }
  const double mean = warp_sum(weighted) / warp_sum(sum);
#pragma unroll 1
  for (int i = lane; i < tile.items; i += kWarp) {
    gradient[i] = static_cast<float>(static_cast<double>(weights[i]) *
                                     (static_cast<double>(gradient[i]) - mean));
  }
}

// The largest priority among a lane's items of a set, the first of them.
struct LaneLargest {
  float priority = -INFINITY;
  int item = 0;
};

// A warp has a set; two have the same where there are fewer sets than warps.
template <int kSets>
__device__ inline LaneLargest lane_largest(const SetTile<kSets>& tile) {
  static_assert(kProductParts % kSets == 0);
  LaneLargest largest;
  const int s = warp_of_thread() % kSets;
  if (s >= tile.count) return largest;
  const float* priority = tile.group.priority + tile.in_group(s, 0);
#pragma unroll 1
  for (int i = lane_of_thread(); i < tile.items; i += kWarp) {
    const LaneLargest item = {priority[i], i};
    if (item.priority > largest.priority) largest = item;
  }
  return largest;
}

// The class of the first largest priority of a set.
template <int kSets>
__device__ inline int label_of_set(const SetTile<kSets>& tile, int s, const LaneLargest& largest) {
  const float top = warp_largest(largest.priority);
  const int item = largest.priority == top ? largest.item : INT_MAX;
  return tile.group.item_class[tile.in_group(s, -warp_largest(-item))];
}

// Between the phases of a tile: attention weights of the sets, by the first warps, and labels, by
// the last ones.
template <int kSets>
__device__ inline void softmax_tile(const SetTile<kSets>& tile, const LaneLargest& largest,
                                    int* labels) {
  const int warp = warp_of_thread();
  __syncthreads();
  if (warp < tile.count) softmax_set(tile, warp);
  const int s = warp % kSets;
  if (warp >= kProductParts - kSets && s < tile.count) {
    const int label = label_of_set(tile, s, largest);
    if (lane_of_thread() == 0) labels[s] = label;
  }
  __syncthreads();
}

template <int kSets>
__device__ inline void softmax_backward_tile(const SetTile<kSets>& tile) {
  __syncthreads();
  if (warp_of_thread() < tile.count) softmax_backward_set(tile, warp_of_thread());
  __syncthreads();
}

}  // namespace dispersion
