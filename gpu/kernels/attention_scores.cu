#include "gpu/kernels/attention_kernels.h"

#include "gpu/kernels/attention_tile.cuh"

namespace dispersion {
namespace {

// Every lane keeps its own largest logit; they meet only at the end.
template <int kChannels, int kRows>
__global__ void __launch_bounds__(kAttentionThreads)
    attention_scores_kernel(AttentionMemory<float> memory) {
  auto& shared = *dynamic_shared<AttentionShared<kChannels, kRows>>();
  const AttentionTile<kRows> tile(memory);
  load_queries(tile, shared);
  LaneSums rows[kRows];
  for (int first_key = 0; first_key < tile.key_end; first_key += kAttentionKeys) {
    TileLogits<kRows> logits;
    tile_logits(tile, first_key, shared, logits);
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const float largest = largest_logit(logits[r]);
      if (largest > rows[r].largest) raise_largest(largest, tile.rows.exponent_scale, rows[r]);
      push_logits(tile.rows.exponent_scale, logits[r], rows[r]);
    }
  }
  finish_rows(tile, rows, shared.rows);
}

}  // namespace

void launch_attention_scores(Stream& stream, const AttentionMemory<float>& memory) {
  with_attention_tile(memory.channels, [&](auto channels, auto rows, const TileShape& tile) {
    launch_tiles(stream, attention_scores_kernel<channels, rows>, tile, memory);
  });
}

}  // namespace dispersion
