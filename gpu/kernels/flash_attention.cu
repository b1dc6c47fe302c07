#include "gpu/kernels/attention_kernels.h"

#include "gpu/kernels/attention_tile.cuh"
#include "gpu/kernels/block.cuh"

namespace dispersion {
namespace {

template <int kChannels, int kRows>
__global__ void __launch_bounds__(kAttentionThreads)
    flash_attention_kernel(AttentionMemory<float> memory) {
  auto& shared = *dynamic_shared<AttentionShared<kChannels, kRows>>();
  const AttentionTile<kRows> tile(memory);
  load_queries(tile, shared);
  LaneSums rows[kRows];
  PooledRows<kChannels, kRows> pooled = {};
  for (int first_key = 0; first_key < tile.key_end; first_key += kAttentionKeys) {
    TileLogits<kRows> logits;
    tile_logits(tile, first_key, shared, logits);
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const float largest = largest_of_lanes<kRowLanes>(largest_logit(logits[r]));
      if (largest > rows[r].largest) {
        const float factor = raise_largest(largest, tile.rows.exponent_scale, rows[r]);
#pragma unroll
        for (int s = 0; s < kChannels / kAttentionSlice; ++s) {
          float4& sum = pooled[s][r];
          sum = {sum.x * factor, sum.y * factor, sum.z * factor, sum.w * factor};
        }
      }
      push_logits(tile.rows.exponent_scale, logits[r], rows[r]);
    }
    pool_tile(tile, first_key, logits, shared, pooled);
  }
  float sums[kRows];
#pragma unroll
  for (int r = 0; r < kRows; ++r)
    sums[r] = rows[r].sum;
  store_pooled(tile, sums, shared, pooled);
  finish_rows(tile, rows, shared.rows);
}

}  // namespace

void launch_flash_attention(Stream& stream, const AttentionMemory<float>& memory) {
  with_attention_tile(memory.channels, [&](auto channels, auto rows, const TileShape& tile) {
    launch_tiles(stream, flash_attention_kernel<channels, rows>, tile, memory);
  });
}

}  // namespace dispersion
