#include "core/math/gelu.h"
#include "gpu/kernels/dense_tile.cuh"
#include "gpu/kernels/group_view.cuh"
#include "gpu/kernels/training_kernels.h"

namespace dispersion {

namespace {

// Phase 1 of a step: the item network at its rows, and the query network at its. Blocks 0 ..
// item_tiles - 1 take items, the rest queries; grid [item_tiles + query_tiles, heads], kWidth
// threads.

// gelu of a tile: the value replaces it, the slope goes to global memory.
__device__ void gelu_tile(TileSums& tile, int count, int channel, float* slope) {
#pragma unroll
  for (int r = 0; r < kTileRows; ++r) {
    const GeluPoint<float> point = gelu_point(tile[r]);
    tile[r] = point.value;
    if (r < count) slope[r * kWidth + channel] = point.slope;
  }
}

__device__ void embed_item_tile(const GroupMemory& group, int head, int first, int count,
                                float* shared) {
  const int channel = static_cast<int>(threadIdx.x);
  const int at = first * kWidth;
  const int size = group.rows * kWidth;
  const float* kernel = tensor(group, head, TensorId::kItem0Kernel);
  const float bias = tensor(group, head, TensorId::kItem0Bias)[channel];
  const float slope = kernel[channel];
  __shared__ DrawnItem items[kTileRows];
  // Rows past the end repeat the last one; nothing of theirs is stored.
  if (channel < kTileRows) {
    items[channel] = item_at(group, head, first + min(channel, count - 1));
    if (channel < count) {
      const int row = head * group.rows + first + channel;
      group.row_priority[row] = items[channel].priority;
      group.row_class[row] = static_cast<std::uint8_t>(items[channel].item_class);
    }
  }
  __syncthreads();
  TileSums tile;
#pragma unroll
  for (int r = 0; r < kTileRows; ++r) {
    // An item is its priority and a one-hot class.
    tile[r] =
        fmaf(items[r].priority, slope, kernel[(1 + items[r].item_class) * kWidth + channel] + bias);
  }
  gelu_tile(tile, count, channel, of_head(group.item_hidden_slope, head, size) + at);
  store_rows(tile, count, channel, of_head(group.item_hidden, head, size) + at);
  store_shared(tile, channel, shared);
  dense_tile(shared, tensor(group, head, TensorId::kItem1Kernel),
             tensor(group, head, TensorId::kItem1Bias)[channel], channel, tile);
  gelu_tile(tile, count, channel, of_head(group.embedding_slope, head, size) + at);
  store_rows(tile, count, channel, of_head(group.embedding, head, size) + at);
  if (!is_spectral(group, head)) return;
  float* transposed = of_head(group.embedding_t, head, kWidth * kMostNodes);
#pragma unroll
  for (int r = 0; r < kTileRows; ++r) {
    if (r < count) transposed[channel * kMostNodes + first + r] = tile[r];
  }
}

// The key bias moves all logits of a set alike and is left out: no weight depends on it, and its
// gradient is exactly 0.
__device__ void embed_query_tile(const GroupMemory& group, int head, int first, int count,
                                 float* shared) {
  const int channel = static_cast<int>(threadIdx.x);
  const int at = first * kWidth;
  const int size = group.query_rows * kWidth;
  const float slope = tensor(group, head, TensorId::kQuery0Kernel)[channel];
  const float bias = tensor(group, head, TensorId::kQuery0Bias)[channel];
  __shared__ float queries[kTileRows];
  if (channel < kTileRows) {
    queries[channel] = query_at(group, head, first + min(channel, count - 1));
    if (channel < count)
      group.row_query[head * group.query_rows + first + channel] = queries[channel];
  }
  __syncthreads();
  TileSums tile;
#pragma unroll
  for (int r = 0; r < kTileRows; ++r)
    tile[r] = fmaf(queries[r], slope, bias);
  gelu_tile(tile, count, channel, of_head(group.query_hidden_slope, head, size) + at);
  store_rows(tile, count, channel, of_head(group.query_hidden, head, size) + at);
  store_shared(tile, channel, shared);
  dense_tile(shared, tensor(group, head, TensorId::kQuery1Kernel),
             tensor(group, head, TensorId::kQuery1Bias)[channel], channel, tile);
  store_rows(tile, count, channel, of_head(group.query_vector, head, size) + at);
  store_shared(tile, channel, shared);
  dense_tile(shared, tensor(group, head, TensorId::kQueryKernel),
             tensor(group, head, TensorId::kQueryBias)[channel], channel, tile);
  store_rows(tile, count, channel, of_head(group.query_projection, head, size) + at);
  store_shared(tile, channel, shared);
  dense_tile(shared, transposed_tensor(group, head, TensorId::kKeyKernel), 0.0f, channel, tile);
  const float scale = 1.0f / sqrtf(static_cast<float>(kWidth));
#pragma unroll
  for (int r = 0; r < kTileRows; ++r)
    tile[r] *= scale;
  store_rows(tile, count, channel, of_head(group.score_vector, head, size) + at);
}

__global__ void __launch_bounds__(kWidth) networks_kernel(GroupMemory group, unsigned item_tiles) {
  alignas(16) __shared__ float shared[kTileRows * kWidth];
  if (stopped(group)) return;
  const int head = static_cast<int>(blockIdx.y);
  const bool items = blockIdx.x < item_tiles;
  const int first = kTileRows * static_cast<int>(items ? blockIdx.x : blockIdx.x - item_tiles);
  const int rows = items ? item_rows(group, head) : query_rows(group, head);
  const int count = min(kTileRows, rows - first);
  if (count <= 0) return;
  if (items) {
    embed_item_tile(group, head, first, count, shared);
  } else {
    embed_query_tile(group, head, first, count, shared);
  }
}

}  // namespace

void launch_networks(Stream& stream, const GroupMemory& group) {
  const unsigned item_tiles = tiles(group.rows);
  stream.launch(networks_kernel, {dim3(item_tiles + tiles(group.query_rows), group.heads), kWidth},
                group, item_tiles);
}

namespace {

// Phase 2, spectral path: logits at the nodes for every query node, U H^T, in double. Grid
// [ceil(kMostNodes / kWidth), heads], kWidth threads; a thread is a node.
__global__ void __launch_bounds__(kWidth) node_logits_kernel(GroupMemory group) {
  const int head = static_cast<int>(blockIdx.y);
  if (stopped(group) || !is_spectral(group, head)) return;
  const int queries = group.nodes[head].queries.count;
  const int nodes = kHeadClasses * group.nodes[head].items.count;
  const int node = static_cast<int>(blockIdx.x * kWidth + threadIdx.x);
  if (node >= nodes) return;
  const float* embedding = of_head(group.embedding_t, head, kWidth * kMostNodes) + node;
  const float* vectors = of_head(group.score_vector, head, group.query_rows * kWidth);
  double sums[kMostQueryNodes] = {};
  for (int j = 0; j < kWidth; ++j) {
    const double h = static_cast<double>(embedding[j * kMostNodes]);
#pragma unroll
    for (int q = 0; q < kMostQueryNodes; ++q) {
      if (q < queries) sums[q] = fma(static_cast<double>(vectors[q * kWidth + j]), h, sums[q]);
    }
  }
  double* logits = of_head(group.node_logits, head, kMostQueryNodes * kMostNodes) + node;
#pragma unroll
  for (int q = 0; q < kMostQueryNodes; ++q) {
    if (q < queries) logits[q * kMostNodes] = sums[q];
  }
}

}  // namespace

void launch_node_logits(Stream& stream, const GroupMemory& group) {
  stream.launch(node_logits_kernel, {dim3((kMostNodes + kWidth - 1) / kWidth, group.heads), kWidth},
                group);
}

}  // namespace dispersion
