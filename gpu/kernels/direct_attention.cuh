#pragma once

#include "gpu/kernels/set_tile.cuh"

namespace dispersion {

// Dot of an item's embedding with a vector of the set, by one warp: four channels a lane.
__device__ inline float warp_dot(const float* a, const float* b, int lane) {
  float sum = 0;
#pragma unroll
  for (int c = 0; c < kWidth / kWarp; ++c)
    sum = fmaf(a[c * kWarp + lane], b[c * kWarp + lane], sum);
  return warp_sum(sum);
}

// Row of the item network.
__device__ inline int item_row(const SetTile& tile, int s, int i) {
  return (tile.first + s) * tile.items + i;
}

// Attention of the tile and its pooled embedding, from the embedding of every item.
__device__ inline void direct_pool(const SetTile& tile, TileSums& pooled) {
  const GroupMemory& group = tile.group;
  const int channel = tile.thread();
  const int lane = channel % kWarp;
  const float* embedding = of_head(group.embedding, tile.head, group.rows * kWidth);
  const float* vectors = of_head(group.score_vector, tile.head, group.query_rows * kWidth);
  for (int t = channel; t < tile.count * tile.items; t += kWidth) {
    const int at = tile.item(t / tile.items, t % tile.items);
    const DrawnItem item = draw_item(group, tile.head, tile.first + t / tile.items, t % tile.items);
    group.priority[at] = item.priority;
    group.item_class[at] = static_cast<std::uint8_t>(item.item_class);
  }
  for (int t = channel / kWarp; t < tile.count * tile.items; t += kWidth / kWarp) {
    const int s = t / tile.items;
    const int i = t % tile.items;
    const float logit = warp_dot(embedding + item_row(tile, s, i) * kWidth,
                                 vectors + (tile.first + s) * kWidth, lane);
    if (lane == 0) group.item_logits[tile.item(s, i)] = static_cast<double>(logit);
  }
  __syncthreads();
  softmax_tile(tile);
  __syncthreads();
#pragma unroll
  for (int s = 0; s < kTileRows; ++s) {
    pooled[s] = 0;
    for (int i = 0; s < tile.count && i < tile.items; ++i) {
      pooled[s] = fmaf(group.weights[tile.item(s, i)],
                       embedding[item_row(tile, s, i) * kWidth + channel], pooled[s]);
    }
  }
}

// Back from d / d pooled (shared memory, [kTileRows, kWidth]) to the score vectors and to the
// second item layer before GELU, whose slopes are replaced.
__device__ inline void direct_pool_backward(const SetTile& tile, const float* pooled_gradient) {
  const GroupMemory& group = tile.group;
  const int channel = tile.thread();
  const int lane = channel % kWarp;
  const float* embedding = of_head(group.embedding, tile.head, group.rows * kWidth);
  const float* vectors = of_head(group.score_vector, tile.head, group.query_rows * kWidth);
  for (int t = channel / kWarp; t < tile.count * tile.items; t += kWidth / kWarp) {
    const int s = t / tile.items;
    const int i = t % tile.items;
    const float gradient =
        warp_dot(embedding + item_row(tile, s, i) * kWidth, pooled_gradient + s * kWidth, lane);
    if (lane == 0) group.weight_gradient[tile.item(s, i)] = gradient;
  }
  __syncthreads();
  softmax_backward_tile(tile);
  __syncthreads();
  float* slopes = of_head(group.embedding_slope, tile.head, group.rows * kWidth);
  float* score_gradient = of_head(group.score_gradient, tile.head, group.query_rows * kWidth);
  const float scale = 1.0f / sqrtf(static_cast<float>(kWidth));
  for (int s = 0; s < tile.count; ++s) {
    const float u = vectors[(tile.first + s) * kWidth + channel];
    const float pooled = pooled_gradient[s * kWidth + channel];
    float sum = 0;
    for (int i = 0; i < tile.items; ++i) {
      const int at = item_row(tile, s, i) * kWidth + channel;
      const float gradient = group.weight_gradient[tile.item(s, i)];
      sum = fmaf(gradient, embedding[at], sum);
      slopes[at] *= fmaf(group.weights[tile.item(s, i)], pooled, gradient * u);
    }
    score_gradient[(tile.first + s) * kWidth + channel] = sum * scale;
  }
}

}  // namespace dispersion
