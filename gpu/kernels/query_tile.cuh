#pragma once

#include <cuda_runtime.h>

#include "gpu/kernels/attention_memory.h"

namespace dispersion {

// The block's tile of `tile_queries` queries of a head, which it takes past all their keys, a tile
// of keys at a time: grid.x counts tiles, grid.y heads.
struct QueryTile {
  __device__ QueryTile(const AttentionRows& whole, int tile_queries)
      : rows(whole),
        head(whole.first_head + static_cast<int>(blockIdx.y)),
        // Under a causal mask the last queries have most to do: they go first.
        first_query(whole.first_query +
                    static_cast<int>(gridDim.x - 1 - blockIdx.x) * tile_queries),
        query_end(whole.first_query + whole.queries),
        key_end(whole.causal ? min(first_query + tile_queries, whole.n) : whole.n) {}

  __device__ long long row(int query) const {
    return static_cast<long long>(head) * rows.n + query;
  }
  // Every query from `query` on sees all of these keys.
  __device__ bool all_visible(int query, int first_key, int keys) const {
    const int last = first_key + keys - 1;
    return last < rows.n && (!rows.causal || last <= query);
  }
  __device__ bool visible(int query, int key) const {
    return key < rows.n && (!rows.causal || key <= query);
  }

  const AttentionRows& rows;
  int head;
  int first_query;
  int query_end;  // of those that are written
  int key_end;    // of those that the tile sees
};

}  // namespace dispersion
