#pragma once

#include "gpu/kernels/group_view.cuh"
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

// Work space of a tile on the spectral path.
struct SpectralShared {
  double query_basis[kTileRows][kMostQueryNodes];
  double set_logits[kTileRows][kMostNodes];
  // Attention gathered at the nodes, then the gradient with respect to it.
  float node_weights[kTileRows][kMostNodes];
};

__device__ inline double* item_basis(const SetTile& tile, int s, int i) {
  return tile.group.item_basis + static_cast<long long>(tile.item(s, i)) * kMostItemNodesPerClass;
}

// Draws the items and queries of the tile and interpolates at them.
__device__ inline void interpolate_tile(const SetTile& tile, SpectralShared& shared) {
  const GroupMemory& group = tile.group;
  const HeadNodes& nodes = group.nodes[tile.head];
  for (int t = tile.thread(); t < tile.count * tile.items; t += kWidth) {
    const int s = t / tile.items;
    const int i = t % tile.items;
    const DrawnItem item = draw_item(group, tile.head, tile.first + s, i);
    group.priority[tile.item(s, i)] = item.priority;
    group.item_class[tile.item(s, i)] = static_cast<std::uint8_t>(item.item_class);
    lagrange_row(nodes.items, static_cast<double>(item.priority), item_basis(tile, s, i));
  }
  // The last threads, which have no item in small tiles.
  const int s = kWidth - 1 - tile.thread();
  if (s < tile.count) {
    const float query = draw_query(group, tile.head, tile.first + s);
    lagrange_row(nodes.queries, static_cast<double>(query), shared.query_basis[s]);
    double* basis = group.query_basis + tile.set(s) * kMostQueryNodes;
    for (int q = 0; q < nodes.queries.count; ++q)
      basis[q] = shared.query_basis[s][q];
  }
}

// Sum over a set's items of share_i L_i, at the nodes of their classes; node_values [nodes] of the
// tile's sets with rows of kMostNodes.
__device__ inline void gather_at_nodes(const SetTile& tile, const float* shares,
                                       float* node_values) {
  const int points = tile.group.nodes[tile.head].items.count;
  const int nodes = kHeadClasses * points;
  for (int t = tile.thread(); t < tile.count * nodes; t += kWidth) {
    const int s = t / nodes;
    const int node = t % nodes;
    float sum = 0;
    for (int i = 0; i < tile.items; ++i) {
      const int at = tile.item(s, i);
      if (tile.group.item_class[at] != node / points) continue;
      sum = fmaf(shares[at], static_cast<float>(item_basis(tile, s, i)[node % points]), sum);
    }
    node_values[s * kMostNodes + node] = sum;
  }
}

// Attention of the tile and its pooled embedding.
__device__ inline void spectral_pool(const SetTile& tile, SpectralShared& shared,
                                     TileSums& pooled) {
  const GroupMemory& group = tile.group;
  const HeadNodes& nodes = group.nodes[tile.head];
  const int points = nodes.items.count;
  const int node_count = kHeadClasses * points;
  interpolate_tile(tile, shared);
  __syncthreads();
  const double* at_points = of_head(group.node_logits, tile.head, kMostQueryNodes * kMostNodes);
  for (int node = tile.thread(); node < node_count; node += kWidth) {
    double sums[kTileRows] = {};
    for (int q = 0; q < nodes.queries.count; ++q) {
      const double value = at_points[q * kMostNodes + node];
#pragma unroll
      for (int s = 0; s < kTileRows; ++s) {
        if (s < tile.count) sums[s] = fma(shared.query_basis[s][q], value, sums[s]);
      }
    }
#pragma unroll
    for (int s = 0; s < kTileRows; ++s) {
      if (s < tile.count) shared.set_logits[s][node] = sums[s];
    }
  }
  __syncthreads();
  for (int t = tile.thread(); t < tile.count * tile.items; t += kWidth) {
    const int s = t / tile.items;
    const int i = t % tile.items;
    const double* basis = item_basis(tile, s, i);
    const double* values = shared.set_logits[s] + group.item_class[tile.item(s, i)] * points;
    double logit = 0;
    for (int k = 0; k < points; ++k)
      logit = fma(basis[k], values[k], logit);
    group.item_logits[tile.item(s, i)] = logit;
  }
  __syncthreads();
  softmax_tile(tile);
  __syncthreads();
  gather_at_nodes(tile, group.weights, &shared.node_weights[0][0]);
  __syncthreads();
  const int channel = tile.thread();
  const float* embedding = of_head(group.embedding, tile.head, group.rows * kWidth) + channel;
  for (int s = 0; s < tile.count; ++s) {
    float* kept = group.node_weights + static_cast<long long>(tile.set(s)) * kMostNodes;
    for (int node = channel; node < node_count; node += kWidth)
      kept[node] = shared.node_weights[s][node];
  }
#pragma unroll
  for (int s = 0; s < kTileRows; ++s)
    pooled[s] = 0;
  for (int node = 0; node < node_count; ++node) {
    const float h = embedding[node * kWidth];
#pragma unroll
    for (int s = 0; s < kTileRows; ++s) {
      if (s < tile.count) pooled[s] = fmaf(shared.node_weights[s][node], h, pooled[s]);
    }
  }
}

// Back from d / d pooled (shared memory, [kTileRows, kWidth]) to d / d set logits at the nodes.
__device__ inline void spectral_pool_backward(const SetTile& tile, const float* pooled_gradient,
                                              SpectralShared& shared) {
  const GroupMemory& group = tile.group;
  const int points = group.nodes[tile.head].items.count;
  const float* embedding = of_head(group.embedding_t, tile.head, kWidth * kMostNodes);
  for (int node = tile.thread(); node < kHeadClasses * points; node += kWidth) {
    TileSums sums = {};
    for (int j = 0; j < kWidth; ++j) {
      const float h = embedding[j * kMostNodes + node];
#pragma unroll
      for (int s = 0; s < kTileRows; ++s)
        sums[s] = fmaf(pooled_gradient[s * kWidth + j], h, sums[s]);
    }
#pragma unroll
    for (int s = 0; s < kTileRows; ++s)
      shared.node_weights[s][node] = sums[s];
  }
  __syncthreads();
  for (int t = tile.thread(); t < tile.count * tile.items; t += kWidth) {
    const int s = t / tile.items;
    const int i = t % tile.items;
    const double* basis = item_basis(tile, s, i);
    const float* values = shared.node_weights[s] + group.item_class[tile.item(s, i)] * points;
    double sum = 0;
    for (int k = 0; k < points; ++k)
      sum = fma(basis[k], static_cast<double>(values[k]), sum);
    group.weight_gradient[tile.item(s, i)] = static_cast<float>(sum);
  }
  __syncthreads();
  softmax_backward_tile(tile);
  __syncthreads();
  gather_at_nodes(tile, group.weight_gradient,
                  group.set_logit_gradient + static_cast<long long>(tile.set(0)) * kMostNodes);
}

}  // namespace dispersion
