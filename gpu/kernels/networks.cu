#include "core/math/gelu.h"
#include "gpu/kernels/block_product.cuh"
#include "gpu/kernels/early_launch.cuh"
#include "gpu/kernels/group_view.cuh"
#include "gpu/kernels/training_kernels.h"

namespace dispersion {

namespace {

// Phase 1 of a step: the item network at its rows, and the query network at its. Blocks 0 ..
// query_tiles - 1 take queries, which have most layers, the rest items; grid [query_tiles +
// item_tiles, heads], kProductThreads threads.
using Shared = ProductShared<kNetworkRows>;
using Rows = RowSums<kNetworkRows>;

// gelu of a tile: the value replaces it, the slope goes to global memory.
__device__ void gelu_rows(Rows& rows, int count, float* slope) {
  Rows slopes;
#pragma unroll
  for (int j = 0; j < kThreadRows<kNetworkRows>; ++j) {
    const GeluPoint<float> point = gelu_point(rows[j]);
    rows[j] = point.value;
    slopes[j] = point.slope;
  }
  store_rows<kNetworkRows>(slopes, count, slope);
}

// The items of a thread's rows. Rows past the end repeat the last one; nothing of theirs is stored.
__device__ void fetch_items(const GroupMemory& group, int head, int first, int count,
                            DrawnItem (&items)[kThreadRows<kNetworkRows>]) {
  // One branch for all rows, so that their points are read together.
  if (is_spectral(group, head)) {
#pragma unroll
    for (int j = 0; j < kThreadRows<kNetworkRows>; ++j)
      items[j] = node_at(group, head, first + min(product_row(j), count - 1));
  } else {
    for (int j = 0; j < kThreadRows<kNetworkRows>; ++j)
      items[j] = batch_item_at(group, head, first + min(product_row(j), count - 1));
  }
}

__device__ void keep_items(const GroupMemory& group, int head, int first, int count,
                           const DrawnItem (&items)[kThreadRows<kNetworkRows>]) {
  if (product_channel() != 0) return;
#pragma unroll
  for (int j = 0; j < kThreadRows<kNetworkRows>; ++j) {
    if (product_row(j) >= count) continue;
    const int row = head * group.rows + first + product_row(j);
    group.row_priority[row] = items[j].priority;
    group.row_class[row] = static_cast<std::uint8_t>(items[j].item_class);
  }
}

__device__ void embed_item_rows(const GroupMemory& group, int head, int first, int count,
                                Shared& shared) {
  MatrixPart part;
  fetch_part(tensor(group, head, TensorId::kItem1Kernel), part);
  const int channel = product_channel();
  const int at = first * kWidth;
  const int size = group.rows * kWidth;
  const float* kernel = tensor(group, head, TensorId::kItem0Kernel) + channel;
  const float slope = kernel[0];
  const float bias = tensor(group, head, TensorId::kItem0Bias)[channel];
  const float second_bias = tensor(group, head, TensorId::kItem1Bias)[channel];
  DrawnItem items[kThreadRows<kNetworkRows>];
  fetch_items(group, head, first, count, items);
  Rows rows;
#pragma unroll
  for (int j = 0; j < kThreadRows<kNetworkRows>; ++j) {
    // An item is its priority and a one-hot class.
    rows[j] = fmaf(items[j].priority, slope, kernel[(1 + items[j].item_class) * kWidth] + bias);
  }
  keep_items(group, head, first, count, items);
  gelu_rows(rows, count, of_head(group.item_hidden_slope, head, size) + at);
  store_rows<kNetworkRows>(rows, count, of_head(group.item_hidden, head, size) + at);
  dense_layer(shared, part, nullptr, second_bias, rows);
  gelu_rows(rows, count, of_head(group.embedding_slope, head, size) + at);
  store_rows<kNetworkRows>(rows, count, of_head(group.embedding, head, size) + at);
}

// The key bias moves all logits of a set alike and is left out: no weight depends on it, and its
// gradient is exactly 0.
__device__ void embed_query_rows(const GroupMemory& group, int head, int first, int count,
                                 Shared& shared) {
  MatrixPart part;
  fetch_part(tensor(group, head, TensorId::kQuery1Kernel), part);
  const int channel = product_channel();
  const int at = first * kWidth;
  const int size = group.query_rows * kWidth;
  const float slope = tensor(group, head, TensorId::kQuery0Kernel)[channel];
  const float bias = tensor(group, head, TensorId::kQuery0Bias)[channel];
  const float vector_bias = tensor(group, head, TensorId::kQuery1Bias)[channel];
  const float projection_bias = tensor(group, head, TensorId::kQueryBias)[channel];
  Rows queries;
#pragma unroll
  for (int j = 0; j < kThreadRows<kNetworkRows>; ++j)
    queries[j] = query_at(group, head, first + min(product_row(j), count - 1));
  Rows rows;
#pragma unroll
  for (int j = 0; j < kThreadRows<kNetworkRows>; ++j) {
    rows[j] = fmaf(queries[j], slope, bias);
    if (channel == 0 && product_row(j) < count)
      group.row_query[head * group.query_rows + first + product_row(j)] = queries[j];
  }
  gelu_rows(rows, count, of_head(group.query_hidden_slope, head, size) + at);
  store_rows<kNetworkRows>(rows, count, of_head(group.query_hidden, head, size) + at);
  dense_layer(shared, part, tensor(group, head, TensorId::kQueryKernel), vector_bias, rows);
  store_rows<kNetworkRows>(rows, count, of_head(group.query_vector, head, size) + at);
  dense_layer(shared, part, transposed_tensor(group, head, TensorId::kKeyKernel), projection_bias,
              rows);
  store_rows<kNetworkRows>(rows, count, of_head(group.query_projection, head, size) + at);
  dense_layer(shared, part, nullptr, 0.0f, rows);
  const float scale = logit_scale();
#pragma unroll
  for (int j = 0; j < kThreadRows<kNetworkRows>; ++j)
    rows[j] *= scale;
  store_rows<kNetworkRows>(rows, count, of_head(group.score_vector, head, size) + at);
}

__global__ void __launch_bounds__(kProductThreads, 2)
    networks_kernel(GroupMemory group, unsigned query_tiles) {
  __shared__ Shared shared;
  wait_for_kernel_before();
  const int head = static_cast<int>(blockIdx.y);
  const bool items = blockIdx.x >= query_tiles;
  const int first = kNetworkRows * static_cast<int>(items ? blockIdx.x - query_tiles : blockIdx.x);
  const bool stop = stopped(group);  // read along with the number of rows
  const int rows = items ? item_rows(group, head) : query_rows(group, head);
  const int count = min(kNetworkRows, rows - first);
  if (stop || count <= 0) return;
  if (items) {
    embed_item_rows(group, head, first, count, shared);
  } else {
    embed_query_rows(group, head, first, count, shared);
  }
}

}  // namespace

void launch_networks(Stream& stream, const GroupMemory& group) {
  const unsigned item_tiles = row_tiles<kNetworkRows>(launched_rows(group));
  const unsigned query_tiles = row_tiles<kNetworkRows>(launched_query_rows(group));
  stream.launch(networks_kernel, {dim3(query_tiles + item_tiles, group.heads), kProductThreads},
                group, query_tiles);
}

}  // namespace dispersion
