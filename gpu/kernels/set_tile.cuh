#pragma once

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
  int first;  // set
  int count;  // sets
  int items;  // of a set
  SetItems attention;

  __device__ int set(int s) const { return head * group.recipe.sets + first + s; }
  // Index of an item in arrays of the group, [heads, sets, largest_set], and in those of the tile.
  __device__ long long in_group(int s, int i) const {
    return static_cast<long long>(set(s)) * group.recipe.largest_set + i;
  }
  __device__ int in_tile(int s, int i) const { return s * group.recipe.largest_set + i; }
};

__device__ inline int warp_of_thread() {
  return static_cast<int>(threadIdx.x) / kWarp;
}

__device__ inline int lane_of_thread() {
  return static_cast<int>(threadIdx.x) % kWarp;
}

// Attention weights of a set from its logits, by a warp; the largest logit is taken off in double.
template <int kSets>
__device__ inline void softmax_set(const SetTile<kSets>& tile, int s) {
  const int lane = lane_of_thread();
  const double* logits = tile.attention.logits + tile.in_tile(s, 0);
  float* weights = tile.attention.weights + tile.in_tile(s, 0);
  double top = -INFINITY;
  for (int i = lane; i < tile.items; i += kWarp)
    top = logits[i] > top ? logits[i] : top;
  top = warp_largest(top);
  double sum = 0;
  for (int i = lane; i < tile.items; i += kWarp) {
    const float weight = exponential(static_cast<float>(logits[i] - top));
    weights[i] = weight;
    sum += static_cast<double>(weight);
  }
  const float inverse = static_cast<float>(1 / warp_sum(sum));
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
  for (int i = lane; i < tile.items; i += kWarp) {
    sum += static_cast<double>(weights[i]);
    weighted += static_cast<double>(weights[i]) * static_cast<double>(gradient[i]);
  }
  const double mean = warp_sum(weighted) / warp_sum(sum);
  for (int i = lane; i < tile.items; i += kWarp) {
    gradient[i] = static_cast<float>(static_cast<double>(weights[i]) *
                                     (static_cast<double>(gradient[i]) - mean));
  }
}

// The class of the first largest priority of a set, by a warp.
template <int kSets>
__device__ inline int label_of_set(const SetTile<kSets>& tile, int s) {
  const float* priority = tile.group.priority + tile.in_group(s, 0);
  const int lane = lane_of_thread();
  int largest = min(lane, tile.items - 1);
  for (int i = lane; i < tile.items; i += kWarp) {
    if (priority[i] > priority[largest]) largest = i;
  }
  const float top = warp_largest(priority[largest]);
  int first = priority[largest] == top ? largest : tile.items;
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    first = min(first, __shfl_xor_sync(kAllLanes, first, distance));
  return tile.group.item_class[tile.in_group(s, first)];
}

// Between the phases of a tile: attention weights and, by warps that have no set, labels.
template <int kSets>
__device__ inline void softmax_tile(const SetTile<kSets>& tile, int* labels) {
  __syncthreads();
  for (int u = warp_of_thread(); u < 2 * kSets; u += kProductParts) {
    const int s = u % kSets;
    if (s >= tile.count) continue;
    if (u < kSets) {
      softmax_set(tile, s);
    } else {
      const int label = label_of_set(tile, s);
      if (lane_of_thread() == 0) labels[s] = label;
    }
  }
  __syncthreads();
}

template <int kSets>
__device__ inline void softmax_backward_tile(const SetTile<kSets>& tile) {
  __syncthreads();
  for (int s = warp_of_thread(); s < tile.count; s += kProductParts)
    softmax_backward_set(tile, s);
  __syncthreads();
}

}  // namespace dispersion
