#include "gpu/kernels/item_backward.h"

#include "gpu/kernels/dense_tile.cuh"
#include "gpu/kernels/group_view.cuh"

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

}  // namespace dispersion
