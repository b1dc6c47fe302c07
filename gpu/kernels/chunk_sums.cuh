#pragma once

#include "gpu/kernels/block.cuh"
#include "gpu/kernels/evaluation_memory.h"

namespace dispersion {

inline constexpr int kMostWarps = kMostChunkThreads / kWarp;

// Sums of a chunk under every transform, warp by warp: of weights and of weights times exponents.
struct ChunkSums {
  double sum[2 * kMostTransforms][kMostWarps];

  // By all threads of a warp.
  __device__ void put(int transform, double weights, double weighted) {
    weights = warp_sum(weights);
    weighted = warp_sum(weighted);
    if (lane_of_thread() != 0) return;
    sum[2 * transform][warp_of_thread()] = weights;
    sum[2 * transform + 1][warp_of_thread()] = weighted;
  }

  // By all threads of the block, after a barrier: the sums over the warps, in order.
  __device__ void total(int transforms, double* weights, double* weighted) const {
    const int row = static_cast<int>(threadIdx.x);
    if (row >= 2 * transforms) return;
    double total = sum[row][0];
    for (int w = 1; w < static_cast<int>(blockDim.x) / kWarp; ++w)
      total += sum[row][w];
    (row % 2 == 0 ? weights : weighted)[row / 2] = total;
  }
};

}  // namespace dispersion
