#include "gpu/kernels/attention_kernels.h"

#include "gpu/kernels/attention_tile.cuh"
#include "gpu/kernels/launch_tiles.h"

namespace dispersion {
namespace {

template <int kChannels>
__global__ void __launch_bounds__(kAttentionThreads)
    attention_pool_kernel(AttentionMemory<float> memory) {
  auto& shared = *dynamic_shared<AttentionShared<kChannels>>();
  const AttentionTile tile(memory);
  load_queries(tile, shared);
  float largest[kRowsPerThread];
  float scale[kRowsPerThread];
  float sums[kRowsPerThread] = {};
#pragma unroll
  for (int r = 0; r < kRowsPerThread; ++r) {
    const long long row = tile.row(min(tile.query(r), tile.query_end - 1));
    largest[r] = tile.rows.largest[row];
    scale[r] = second_scale(tile.rows, row);
  }
  PooledRows<kChannels> pooled = {};
  for (int first_key = 0; first_key < tile.key_end; first_key += kAttentionKeys) {
    TileLogits logits;
    tile_logits(tile, first_key, shared, logits);
#pragma unroll
    for (int r = 0; r < kRowsPerThread; ++r)
      sums[r] += weigh(scale[r], largest[r], logits[r]);
    pool_tile<kChannels>(tile, first_key, logits, shared, pooled);
  }
  store_pooled<kChannels>(tile, sums, shared, pooled);
}

}  // namespace

void launch_attention_pool(Stream& stream, const AttentionMemory<float>& memory) {
  with_channels(memory.channels, [&](auto channels) {
    launch_tiles(stream, attention_pool_kernel<channels>, attention_tile_shape<channels>(), memory);
  });
}

}  // namespace dispersion
