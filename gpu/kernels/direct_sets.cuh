#pragma once

#include "gpu/kernels/set_tile.cuh"

namespace dispersion {

// Attention of a tile of sets on the direct path, from the embedding of every item.

// Dot of an item's embedding with a vector of the set, by one warp: four channels a lane.
__device__ inline float warp_dot(const float* a, const float* b) {
  float sum = 0;
#pragma unroll
  for (int c = 0; c < kWidth / kWarp; ++c)
    sum = fmaf(a[c * kWarp + lane_of_thread()], b[c * kWarp + lane_of_thread()], sum);
  return warp_sum(sum);
}

// Row of the item network.
template <int kSets>
__device__ inline int item_row(const SetTile<kSets>& tile, int s, int i) {
  return (tile.first + s) * tile.items + i;
}

// Attention of the tile and its pooled embedding.
template <int kSets>
__device__ inline void direct_pool(const SetTile<kSets>& tile, int* labels,
                                   RowSums<kSets>& pooled) {
  const GroupMemory& group = tile.group;
  const float* embedding = of_head(group.embedding, tile.head, group.rows * kWidth);
  const float* vectors = of_head(group.score_vector, tile.head, group.query_rows * kWidth);
  const LaneLargest largest = lane_largest(tile);
  for (int s = 0; s < tile.count; ++s) {
    for (int i = warp_of_thread(); i < tile.items; i += kProductParts) {
      const float logit =
          warp_dot(embedding + item_row(tile, s, i) * kWidth, vectors + (tile.first + s) * kWidth);
      if (lane_of_thread() == 0)
        tile.attention.logits[tile.in_tile(s, i)] = static_cast<double>(logit);
    }
  }
  softmax_tile(tile, largest, labels);
#pragma unroll
  for (int j = 0; j < kThreadRows<kSets>; ++j) {
    const int s = product_row(j);
    pooled[j] = 0;
    if (s >= tile.count) continue;
#pragma unroll 8
    for (int i = 0; i < tile.items; ++i) {
      pooled[j] = fmaf(tile.attention.weights[tile.in_tile(s, i)],
                       embedding[item_row(tile, s, i) * kWidth + product_channel()], pooled[j]);
    }
  }
}

// Back from d / d pooled (rows of kProductStride in shared memory) to the score vectors and to the
// second item layer before GELU, whose slopes are replaced.
template <int kSets>
__device__ inline void direct_pool_backward(const SetTile<kSets>& tile,
                                            const float* pooled_gradient) {
  const GroupMemory& group = tile.group;
  const int channel = product_channel();
  const float* embedding = of_head(group.embedding, tile.head, group.rows * kWidth);
  const float* vectors = of_head(group.score_vector, tile.head, group.query_rows * kWidth);
  for (int s = 0; s < tile.count; ++s) {
    for (int i = warp_of_thread(); i < tile.items; i += kProductParts) {
      const float gradient =
          warp_dot(embedding + item_row(tile, s, i) * kWidth, pooled_gradient + s * kProductStride);
      if (lane_of_thread() == 0) tile.attention.gradient[tile.in_tile(s, i)] = gradient;
    }
  }
  softmax_backward_tile(tile);
  float* slopes = of_head(group.embedding_slope, tile.head, group.rows * kWidth);
  float* score_gradient = of_head(group.score_gradient, tile.head, group.query_rows * kWidth);
  const float scale = logit_scale();
#pragma unroll
  for (int j = 0; j < kThreadRows<kSets>; ++j) {
    const int s = product_row(j);
    if (s >= tile.count) continue;
    const float u = vectors[(tile.first + s) * kWidth + channel];
    const float pooled = pooled_gradient[s * kProductStride + channel];
    float sum = 0;
#pragma unroll 4
    for (int i = 0; i < tile.items; ++i) {
      const int at = item_row(tile, s, i) * kWidth + channel;
      const float gradient = tile.attention.gradient[tile.in_tile(s, i)];
      sum = fmaf(gradient, embedding[at], sum);
      slopes[at] *= fmaf(tile.attention.weights[tile.in_tile(s, i)], pooled, gradient * u);
    }
    score_gradient[(tile.first + s) * kWidth + channel] = sum * scale;
  }
}

}  // namespace dispersion
