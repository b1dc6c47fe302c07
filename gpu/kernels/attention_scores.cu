#include "gpu/kernels/attention_kernels.h"

#include "gpu/kernels/attention_tile.cuh"
#include "gpu/kernels/launch_tiles.h"

namespace dispersion {
namespace {

// Every lane keeps its own largest logit; they meet only at the end.
template <int kChannels>
__global__ void __launch_bounds__(kAttentionThreads)
    attention_scores_kernel(AttentionMemory<float> memory) {
  auto& shared = *dynamic_shared<AttentionShared<kChannels>>();
  const AttentionTile tile(memory);
  load_queries(tile, shared);
  RowSums rows[kRowsPerThread];
  for (int first_key = 0; first_key < tile.key_end; first_key += kAttentionKeys) {
    TileLogits logits;
    tile_logits(tile, first_key, shared, logits);
#pragma unroll
    for (int r = 0; r < kRowsPerThread; ++r) {
      const float largest = largest_logit(logits[r]);
      if (largest > rows[r].largest) raise_largest(largest, tile.rows.exponent_scale, rows[r]);
      push_logits(tile.rows.exponent_scale, logits[r], rows[r]);
    }
  }
  finish_rows(tile, rows, shared.rows);
}

}  // namespace

void launch_attention_scores(Stream& stream, const AttentionMemory<float>& memory) {
  with_channels(memory.channels, [&](auto channels) {
    launch_tiles(stream, attention_scores_kernel<channels>, attention_tile_shape<channels>(),
                 memory);
  });
}

}  // namespace dispersion
