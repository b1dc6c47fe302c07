#pragma once

#include "core/math/exponential.h"
#include "gpu/kernels/dense_tile.cuh"
#include "gpu/kernels/group_view.cuh"
#include "gpu/kernels/warp.cuh"

namespace dispersion {

// kTileRows sets of a batch, in one block of kWidth threads.
struct SetTile {
  const GroupMemory& group;
  int head;
  int first;  // set
  int count;  // sets
  int items;  // of a set

  __device__ int thread() const { return static_cast<int>(threadIdx.x); }
  __device__ int set(int s) const { return head * group.recipe.sets + first + s; }
  // Index of an item in arrays [heads, sets, most_items].
  __device__ int item(int s, int i) const { return set(s) * group.recipe.largest_set + i; }
};

// Attention weights of every set from item_logits, one warp a set; the largest logit is taken off
// in double.
__device__ inline void softmax_tile(const SetTile& tile) {
  const int lane = tile.thread() % kWarp;
  for (int s = tile.thread() / kWarp; s < tile.count; s += kWidth / kWarp) {
    const double* logits = tile.group.item_logits + tile.item(s, 0);
    float* weights = tile.group.weights + tile.item(s, 0);
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
}

// From d / d weights to d / d logits, in place.
__device__ inline void softmax_backward_tile(const SetTile& tile) {
  const int lane = tile.thread() % kWarp;
  for (int s = tile.thread() / kWarp; s < tile.count; s += kWidth / kWarp) {
    const float* weights = tile.group.weights + tile.item(s, 0);
    float* gradient = tile.group.weight_gradient + tile.item(s, 0);
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
}

}  // namespace dispersion
