#include "gpu/kernels/query_backward.h"

#include "gpu/kernels/dense_tile.cuh"
#include "gpu/kernels/group_view.cuh"

namespace dispersion {
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
