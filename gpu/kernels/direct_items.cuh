#pragma once

#include "core/math/gelu.h"
#include "gpu/kernels/dense_tile.cuh"
#include "gpu/kernels/evaluation_items.cuh"

namespace dispersion {

__device__ inline const float* tensor(const EvaluationHead& head, TensorId id) {
  return head.parameters + tensor_offset(id);
}

struct ItemTileShared {
  alignas(16) float rows[kTileRows * kWidth];
  DrawnItem items[kTileRows];
};

// The items first .. first + count - 1 of a set through the item network; a thread is a channel.
// Items past the end repeat the last. shared.items holds the tile's items afterwards.
__device__ inline void embed_items(const EvaluationHead& head, const EvaluationSets& sets, int set,
                                   int first, int count, ItemTileShared& shared, TileSums& tile) {
  const int channel = static_cast<int>(threadIdx.x);
  __syncthreads();
  if (channel < kTileRows)
    shared.items[channel] = evaluation_item(sets, set, first + min(channel, count - 1));
  __syncthreads();
  const float* kernel = tensor(head, TensorId::kItem0Kernel);
  const float bias = tensor(head, TensorId::kItem0Bias)[channel];
#pragma unroll
  for (int r = 0; r < kTileRows; ++r) {
    const DrawnItem& item = shared.items[r];
    const float before = fmaf(item.priority, kernel[channel],
                              kernel[(1 + item.item_class) * kWidth + channel] + bias);
    shared.rows[r * kWidth + channel] = gelu_point(before).value;
  }
  dense_tile(shared.rows, tensor(head, TensorId::kItem1Kernel),
             tensor(head, TensorId::kItem1Bias)[channel], channel, tile);
#pragma unroll
  for (int r = 0; r < kTileRows; ++r)
    tile[r] = gelu_point(tile[r]).value;
}

}  // namespace dispersion
