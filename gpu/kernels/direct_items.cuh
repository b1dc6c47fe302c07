#pragma once

#include "core/math/gelu.h"
#include "gpu/kernels/block_product.cuh"
#include "gpu/kernels/evaluation_items.cuh"

namespace dispersion {

__device__ inline const float* tensor(const EvaluationHead& head, TensorId id) {
  return head.parameters + tensor_offset(id);
}

// What a thread knows of the item network while it takes one tile of items after the other: the
// numbers of its channel, and its part of the second layer's matrix.
struct ItemNetwork {
  const float* first_kernel;  // at the channel
  float slope;
  float bias;
  float second_bias;
  MatrixPart second;
};

__device__ inline void fetch_network(const EvaluationHead& head, ItemNetwork& network) {
  const int channel = product_channel();
  fetch_part(tensor(head, TensorId::kItem1Kernel), network.second);
  network.first_kernel = tensor(head, TensorId::kItem0Kernel) + channel;
  network.slope = network.first_kernel[0];
  network.bias = tensor(head, TensorId::kItem0Bias)[channel];
  network.second_bias = tensor(head, TensorId::kItem1Bias)[channel];
}

// Few enough items at a time that two blocks share a multiprocessor.
inline constexpr int kItemRows = 4;
using ItemRows = RowSums<kItemRows>;

struct DirectItemsShared {
  ProductShared<kItemRows> product;
  DrawnItem items[kDirectChunkItems];  // of the chunk
};
static_assert(kDirectChunkItems == kProductThreads, "a thread an item");

// The items of a chunk to shared.items, a thread an item; past the end the last one again.
__device__ inline DrawnItem fetch_items(const EvaluationSets& sets, const ChunkPlace& chunk,
                                        DirectItemsShared& shared) {
  const int thread = static_cast<int>(threadIdx.x);
  const DrawnItem item =
      evaluation_item(sets, chunk.set, chunk.begin + min(thread, chunk.count - 1));
  __syncthreads();
  shared.items[thread] = item;
  __syncthreads();
  return item;
}

// The items first .. first + kItemRows - 1 of the chunk through the item network, by a block of
// kProductThreads threads.
__device__ inline void embed_items(const ItemNetwork& network, int first, DirectItemsShared& shared,
                                   ItemRows& rows) {
#pragma unroll
  for (int j = 0; j < kThreadRows<kItemRows>; ++j) {
    const DrawnItem& item = shared.items[first + product_row(j)];
    const float of_class = network.first_kernel[(1 + item.item_class) * kWidth];
    rows[j] = gelu_point(fmaf(item.priority, network.slope, of_class + network.bias)).value;
  }
  store_rows_shared<kItemRows>(rows, shared.product);
  multiply_part(shared.product, network.second);
  join_parts(shared.product, rows);
#pragma unroll
  for (int j = 0; j < kThreadRows<kItemRows>; ++j)
    rows[j] = gelu_point(rows[j] + network.second_bias).value;
}

// Sums over the channels of every row, by the warps that hold them and then in their order.
template <int kRows>
struct RowTotals {
  float of_warp[kRows][kWidth / kWarp];

  // By all threads of the block; a barrier comes before total().
  __device__ void put(const RowSums<kRows>& terms) {
    const int warp = static_cast<int>(threadIdx.x) % kWidth / kWarp;
#pragma unroll
    for (int j = 0; j < kThreadRows<kRows>; ++j) {
      const float sum = warp_sum(terms[j]);
      if (lane_of_thread() == 0) of_warp[product_row(j)][warp] = sum;
    }
  }
  __device__ float total(int row) const {
    float sum = of_warp[row][0];
    for (int w = 1; w < kWidth / kWarp; ++w)
      sum += of_warp[row][w];
    return sum;
  }
};

}  // namespace dispersion
