#pragma once

#include <cuda_runtime.h>

#include "gpu/kernels/attention_memory.h"

namespace dispersion {

// The block's tile of queries of a head: grid.x counts tiles, grid.y heads.
struct QueryTile {
  __device__ explicit QueryTile(const AttentionRows& whole)
      : rows(whole),
        head(static_cast<int>(blockIdx.y)),
        // Under a causal mask the last queries have most to do: they go first.
        first_query(whole.first_query +
                    static_cast<int>(gridDim.x - 1 - blockIdx.x) * kAttentionQueries) {}

  __device__ long long row(int query) const {
    return static_cast<long long>(head) * rows.n + query;
  }
  __device__ int key_end() const {
    return rows.causal ? min(rows.n, first_query + kAttentionQueries) : rows.n;
  }
  // Every query of the tile sees every key of that tile.
  __device__ bool all_visible(int first_key) const {
    const int last = first_key + kAttentionKeys - 1;
    return last < rows.n && (!rows.causal || last <= first_query);
  }
  __device__ bool visible(int query, int key) const {
    return key < rows.n && (!rows.causal || key <= query);
  }

  const AttentionRows& rows;
  int head;
  int first_query;
};

}  // namespace dispersion
