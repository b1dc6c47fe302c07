#include "gpu/kernels/attention_kernels.h"

#include "gpu/kernels/attention_tile.cuh"

namespace dispersion {
namespace {

template <int kChannels, int kRows>
__global__ void __launch_bounds__(kAttentionThreads)
    attention_pool_kernel(AttentionMemory<float> memory) {
  auto& shared = *dynamic_shared<AttentionShared<kChannels, kRows>>();
  const AttentionTile<kRows> tile(memory);
  load_queries(tile, shared);
  float largest[kRows];
  float scale[kRows];
  float sums[kRows] = {};
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const long long row = tile.row(min(tile.query(r), tile.query_end - 1));
    largest[r] = tile.rows.largest[row];
    scale[r] = second_scale(tile.rows, row);
  }
  PooledRows<kChannels, kRows> pooled = {};
  for (int first_key = 0; first_key < tile.key_end; first_key += kAttentionKeys) {
    TileLogits<kRows> logits;
    tile_logits(tile, first_key, shared, logits);
#pragma unroll
    for (int r = 0; r < kRows; ++r)
      sums[r] += weigh(scale[r], largest[r], logits[r]);
    pool_tile(tile, first_key, logits, shared, pooled);
  }
  store_pooled(tile, sums, shared, pooled);
}

}  // namespace

void launch_attention_pool(Stream& stream, const AttentionMemory<float>& memory) {
  with_attention_tile(memory.channels, [&](auto channels, auto rows, const TileShape& tile) {
    launch_tiles(stream, attention_pool_kernel<channels, rows>, tile, memory);
  });
}

}  // namespace dispersion
