#include "gpu/kernels/block_product.cuh"
#include "gpu/kernels/early_launch.cuh"
#include "gpu/kernels/group_view.cuh"
#include "gpu/kernels/training_kernels.h"

namespace dispersion {
namespace {

// Phase 5: back through the item network from d / d (second layer before GELU) in embedding_slope,
// and through K, Q and the query network from d / d score vectors. Blocks 0 .. query_tiles - 1 take
// queries, which have most layers, the rest items; grid [query_tiles + item_tiles, heads],
// kProductThreads threads. The first matrix and where a row ends are fetched before the kernel
// before is through.

__device__ void item_rows_backward(const GroupMemory& group, int head, int first, int count,
                                   ProductShared<kNetworkRows>& shared) {
  MatrixPart part;
  fetch_part(transposed_tensor(group, head, TensorId::kItem1Kernel), part);
  wait_for_kernel_before();
  const int size = group.rows * kWidth;
  const int at = first * kWidth;
  RowSums<kNetworkRows> rows;
  RowSums<kNetworkRows> slope;
  load_rows<kNetworkRows>(of_head(group.embedding_slope, head, size) + at, count, rows);
  load_rows<kNetworkRows>(of_head(group.item_hidden_slope, head, size) + at, count, slope);
  dense_layer(shared, part, nullptr, 0.0f, rows);
#pragma unroll
  for (int j = 0; j < kThreadRows<kNetworkRows>; ++j)
    rows[j] *= slope[j];
  store_rows<kNetworkRows>(rows, count, of_head(group.hidden_gradient, head, size) + at);
}

// d / d score vector of query node q at the thread's channel, from the parts of the node tiles in
// their order. A small difference of large sums, over sets whose items have gradients that add up
// to 0: hence double, and H without its mean.
__device__ float score_gradient(const GroupMemory& group, int head, int q) {
  const int channel = product_channel();
  const int nodes = kHeadClasses * group.nodes[head].items.count;
  const double* parts = of_head(group.score_parts, head, kNodeTiles * kMostQueryNodes * kWidth) +
                        q * kWidth + channel;
  const double* embedding = of_head(group.embedding_sums, head, kNodeTiles * kWidth) + channel;
  const double* gradients =
      of_head(group.logit_gradient_sums, head, kNodeTiles * kMostQueryNodes) + q;
  double sum = 0;
  double embedding_sum = 0;
  double gradient_sum = 0;
#pragma unroll 10
  for (int tile = 0; tile < nodes / kNodeRows; ++tile) {
    sum += parts[tile * kMostQueryNodes * kWidth];
    embedding_sum += embedding[tile * kWidth];
    gradient_sum += gradients[tile * kMostQueryNodes];
  }
  const float scale = logit_scale();
  return static_cast<float>(sum - embedding_sum / nodes * gradient_sum) * scale;
}

__device__ void query_rows_backward(const GroupMemory& group, int head, int first, int count,
                                    ProductShared<kQueryRows>& shared) {
  static_assert(kThreadRows<kQueryRows> == 1);
  MatrixPart part;
  // score = projection K^T, so the way back multiplies by K itself.
  fetch_part(tensor(group, head, TensorId::kKeyKernel), part);
  wait_for_kernel_before();
  const int size = group.query_rows * kWidth;
  const int at = first * kWidth;
  RowSums<kQueryRows> rows;
  RowSums<kQueryRows> slope;
  load_rows<kQueryRows>(of_head(group.query_hidden_slope, head, size) + at, count, slope);
  float* score = of_head(group.score_gradient, head, size) + at;
  if (is_spectral(group, head)) {
    rows[0] = product_row(0) < count ? score_gradient(group, head, first + product_row(0)) : 0.0f;
    store_rows<kQueryRows>(rows, count, score);
  } else {
    load_rows<kQueryRows>(score, count, rows);
  }
  dense_layer(shared, part, transposed_tensor(group, head, TensorId::kQueryKernel), 0.0f, rows);
  store_rows<kQueryRows>(rows, count, of_head(group.projection_gradient, head, size) + at);
  dense_layer(shared, part, transposed_tensor(group, head, TensorId::kQuery1Kernel), 0.0f, rows);
  store_rows<kQueryRows>(rows, count, of_head(group.vector_gradient, head, size) + at);
  dense_layer(shared, part, nullptr, 0.0f, rows);
  rows[0] *= slope[0];
  store_rows<kQueryRows>(rows, count, of_head(group.query_gradient, head, size) + at);
}

__global__ void __launch_bounds__(kProductThreads, 2)
    networks_backward_kernel(GroupMemory group, unsigned query_tiles) {
  __shared__ ProductShared<kNetworkRows> item_shared;
  __shared__ ProductShared<kQueryRows> query_shared;
  const int head = static_cast<int>(blockIdx.y);
  const bool items = blockIdx.x >= query_tiles;
  const int tile = static_cast<int>(items ? blockIdx.x - query_tiles : blockIdx.x);
  const int most = items ? kNetworkRows : kQueryRows;
  const int rows = items ? item_rows(group, head) : query_rows(group, head);
  const int count = min(most, rows - tile * most);
  if (stopped(group) || count <= 0) return wait_for_kernel_before();
  if (items) {
    item_rows_backward(group, head, tile * most, count, item_shared);
  } else {
    query_rows_backward(group, head, tile * most, count, query_shared);
  }
}

}  // namespace

void launch_networks_backward(Stream& stream, const GroupMemory& group) {
  const unsigned item_tiles = row_tiles<kNetworkRows>(launched_rows(group));
  const unsigned query_tiles = row_tiles<kQueryRows>(launched_query_rows(group));
  stream.launch(networks_backward_kernel,
                {.grid = dim3(query_tiles + item_tiles, group.heads),
                 .block = kProductThreads,
                 .early = true},
                group, query_tiles);
}

}  // namespace dispersion
