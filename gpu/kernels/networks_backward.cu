#include "gpu/kernels/dense_tile.cuh"
#include "gpu/kernels/group_view.cuh"
#include "gpu/kernels/training_kernels.h"

namespace dispersion {

namespace {

// Phase 4: back through the item network, row by row. Grid [ceil(rows / kTileRows), heads], kWidth
// threads. Leaves d / d (second layer before GELU) in embedding_slope, d / d (first layer before
// GELU) in hidden_gradient and, on the spectral path, d / d (U H^T) in node_logit_gradient.

// d / d H of a tile of nodes: what pooling gives and what the logits give.
__device__ void node_gradient_tile(const GroupMemory& group, int head, int first, int count,
                                   float (*logit_gradient)[kTileRows], TileSums& tile) {
  const int thread = static_cast<int>(threadIdx.x);
  const int sets = group.recipe.sets;
  const int queries = group.nodes[head].queries.count;
  const double* basis = of_head(group.query_basis, head, sets * kMostQueryNodes);
  const float* scattered = of_head(group.set_logit_gradient, head, sets * kMostNodes) + first;
  float* kept = of_head(group.node_logit_gradient, head, kMostQueryNodes * kMostNodes) + first;
  for (int t = thread; t < queries * count; t += kWidth) {
    const int q = t / count;
    const int r = t % count;
    double sum = 0;
    for (int s = 0; s < sets; ++s) {
      sum = fma(basis[s * kMostQueryNodes + q], static_cast<double>(scattered[s * kMostNodes + r]),
                sum);
    }
    logit_gradient[q][r] = static_cast<float>(sum);
    kept[q * kMostNodes + r] = static_cast<float>(sum);
  }
  __syncthreads();
  const float* weights = of_head(group.node_weights, head, sets * kMostNodes) + first;
  const float* pooled = of_head(group.pooled_gradient, head, sets * kWidth) + thread;
  const float* vectors = of_head(group.score_vector, head, group.query_rows * kWidth) + thread;
#pragma unroll
  for (int r = 0; r < kTileRows; ++r)
    tile[r] = 0;
  for (int s = 0; s < sets; ++s) {
    const float gradient = pooled[s * kWidth];
#pragma unroll
    for (int r = 0; r < kTileRows; ++r) {
      if (r < count) tile[r] = fmaf(weights[s * kMostNodes + r], gradient, tile[r]);
    }
  }
  for (int q = 0; q < queries; ++q) {
    const float u = vectors[q * kWidth];
#pragma unroll
    for (int r = 0; r < kTileRows; ++r) {
      if (r < count) tile[r] = fmaf(logit_gradient[q][r], u, tile[r]);
    }
  }
}

__global__ void __launch_bounds__(kWidth) item_backward_kernel(GroupMemory group) {
  alignas(16) __shared__ float shared[kTileRows * kWidth];
  __shared__ float logit_gradient[kMostQueryNodes][kTileRows];
  if (stopped(group)) return;
  const int head = static_cast<int>(blockIdx.y);
  const int channel = static_cast<int>(threadIdx.x);
  const int first = static_cast<int>(blockIdx.x) * kTileRows;
  const int count = min(kTileRows, item_rows(group, head) - first);
  if (count <= 0) return;
  const int size = group.rows * kWidth;
  float* second = of_head(group.embedding_slope, head, size) + first * kWidth;
  TileSums tile;
  load_rows(second, count, channel, tile);
  if (is_spectral(group, head)) {
    TileSums gradient;
    node_gradient_tile(group, head, first, count, logit_gradient, gradient);
#pragma unroll
    for (int r = 0; r < kTileRows; ++r)
      tile[r] *= gradient[r];
    store_rows(tile, count, channel, second);
  }
  store_shared(tile, channel, shared);
  dense_tile(shared, transposed_tensor(group, head, TensorId::kItem1Kernel), 0.0f, channel, tile);
  TileSums slope;
  load_rows(of_head(group.item_hidden_slope, head, size) + first * kWidth, count, channel, slope);
#pragma unroll
  for (int r = 0; r < kTileRows; ++r)
    tile[r] *= slope[r];
  store_rows(tile, count, channel, of_head(group.hidden_gradient, head, size) + first * kWidth);
}

}  // namespace

void launch_item_backward(Stream& stream, const GroupMemory& group) {
  stream.launch(item_backward_kernel, {dim3(tiles(group.rows), group.heads), kWidth}, group);
}

namespace {

// d / d score vectors of a tile of query nodes. A small difference of large sums, over sets whose
// items have gradients that add up to 0: hence double, and H without its mean.
__device__ void score_gradient_tile(const GroupMemory& group, int head, int first, int count,
                                    TileSums& tile) {
  const int channel = static_cast<int>(threadIdx.x);
  const int nodes = kHeadClasses * group.nodes[head].items.count;
  const float* embedding = of_head(group.embedding, head, group.rows * kWidth) + channel;
  const float* gradient =
      of_head(group.node_logit_gradient, head, kMostQueryNodes * kMostNodes) + first * kMostNodes;
  double mean = 0;
  for (int k = 0; k < nodes; ++k)
    mean += static_cast<double>(embedding[k * kWidth]);
  mean /= nodes;
  double sums[kTileRows] = {};
  for (int k = 0; k < nodes; ++k) {
    const double h = static_cast<double>(embedding[k * kWidth]) - mean;
#pragma unroll
    for (int r = 0; r < kTileRows; ++r) {
      if (r < count) sums[r] = fma(static_cast<double>(gradient[r * kMostNodes + k]), h, sums[r]);
    }
  }
  const float scale = 1.0f / sqrtf(static_cast<float>(kWidth));
#pragma unroll
  for (int r = 0; r < kTileRows; ++r)
    tile[r] = static_cast<float>(sums[r]) * scale;
}

// Phase 5: back through K, Q and the query network. Grid [ceil(query rows / kTileRows), heads],
// kWidth threads.
__global__ void __launch_bounds__(kWidth) query_backward_kernel(GroupMemory group) {
  alignas(16) __shared__ float shared[kTileRows * kWidth];
  if (stopped(group)) return;
  const int head = static_cast<int>(blockIdx.y);
  const int channel = static_cast<int>(threadIdx.x);
  const int first = static_cast<int>(blockIdx.x) * kTileRows;
  const int count = min(kTileRows, query_rows(group, head) - first);
  if (count <= 0) return;
  const int size = group.query_rows * kWidth;
  const int at = first * kWidth;
  float* score_gradient = of_head(group.score_gradient, head, size) + at;
  TileSums tile;
  if (is_spectral(group, head)) {
    score_gradient_tile(group, head, first, count, tile);
    store_rows(tile, count, channel, score_gradient);
  } else {
    load_rows(score_gradient, count, channel, tile);
  }
  store_shared(tile, channel, shared);
  // score = projection K^T, so the way back multiplies by K itself.
  dense_tile(shared, tensor(group, head, TensorId::kKeyKernel), 0.0f, channel, tile);
  store_rows(tile, count, channel, of_head(group.projection_gradient, head, size) + at);
  store_shared(tile, channel, shared);
  dense_tile(shared, transposed_tensor(group, head, TensorId::kQueryKernel), 0.0f, channel, tile);
  store_rows(tile, count, channel, of_head(group.vector_gradient, head, size) + at);
  store_shared(tile, channel, shared);
  dense_tile(shared, transposed_tensor(group, head, TensorId::kQuery1Kernel), 0.0f, channel, tile);
  TileSums slope;
  load_rows(of_head(group.query_hidden_slope, head, size) + at, count, channel, slope);
#pragma unroll
  for (int r = 0; r < kTileRows; ++r)
    tile[r] *= slope[r];
  store_rows(tile, count, channel, of_head(group.query_gradient, head, size) + at);
}

}  // namespace

void launch_query_backward(Stream& stream, const GroupMemory& group) {
  stream.launch(query_backward_kernel, {dim3(tiles(group.query_rows), group.heads), kWidth}, group);
}

}  // namespace dispersion
