#pragma once

#include "gpu/kernels/attention_rows.cuh"
#include "gpu/kernels/block.cuh"
#include "gpu/kernels/launch_tiles.h"
#include "gpu/kernels/query_tile.cuh"

namespace dispersion {

// Products of a tile of queries with a tile of keys, and of their weights with the values, by 128
// threads in float. A thread has 8 queries and 4 keys or channels, so that it reads 12 quadruples
// from shared memory for 128 products; or 4 queries, kRows, where a block cannot have as much
// shared memory, and the bits of a row are the same. Rows in shared memory are padded by 4 floats:
// the threads of a warp then meet in no bank when they read quadruples of different rows.
inline constexpr int kAttentionKeys = 64;
inline constexpr int kAttentionThreads = 128;
inline constexpr int kAttentionSlice = 64;  // channels of keys or values that are held at a time
inline constexpr int kAttentionPadding = 4;
inline constexpr int kSliceStride = kAttentionSlice + kAttentionPadding;

// 16 neighbouring threads (lanes) share kRows rows of logits, every 8th of the tile, and each has
// every 16th key of them.
inline constexpr int kRowLanes = 16;
inline constexpr int kRowGroups = kAttentionThreads / kRowLanes;
inline constexpr int kKeysPerThread = kAttentionKeys / kRowLanes;

struct LanePlace {
  __device__ explicit LanePlace(int thread) : group(thread / kRowLanes), lane(thread % kRowLanes) {}
  __device__ int row(int r) const { return r * kRowGroups + group; }
  __device__ int key(int j) const { return j * kRowLanes + lane; }

  int group;
  int lane;
};

// Of every lane, [queries, lanes].
template <int kRows>
using LaneRows = LaneSums[kRowGroups * kRows][kRowLanes];

template <int kChannels, int kRows>
struct AttentionShared {
  float q[kRowGroups * kRows][kChannels + kAttentionPadding];
  union {
    float slice[kAttentionKeys][kSliceStride];  // of keys or values
    LaneRows<kRows> rows;
  };
  float weights[kRowGroups * kRows][kSliceStride];  // [queries, keys]
};

template <int kChannels, int kRows>
using PooledRows = float4[kChannels / kAttentionSlice][kRows];

// What a thread has of the tile's logits q . k: rows by keys.
template <int kRows>
using TileLogits = float[kRows][kKeysPerThread];

// The place of the calling thread.
template <int kRows>
struct AttentionTile : QueryTile {
  __device__ explicit AttentionTile(const AttentionMemory<float>& whole)
      : QueryTile(whole.rows, kRowGroups * kRows),
        memory(whole),
        place(static_cast<int>(threadIdx.x)) {}

  __device__ int query(int r) const { return first_query + place.row(r); }

  const AttentionMemory<float>& memory;
  LanePlace place;
};

// Channels from `channel` on of kCount rows of [heads, n, kChannels] from row `first` on; 0 past
// the last row.
template <int kChannels, int kCount>
__device__ inline void load_slice(const QueryTile& tile, const float* from, int first, int channel,
                                  float* to, int to_stride) {
  constexpr int kQuadruples = kAttentionSlice / 4;
  const int thread = static_cast<int>(threadIdx.x);
  const int column = thread % kQuadruples * 4;
  // With 256 channels there are no registers for more at a time.
#pragma unroll(kChannels > 128 ? 4 : 8)
  for (int i = 0; i < kCount * kQuadruples / kAttentionThreads; ++i) {
    const int r = i * (kAttentionThreads / kQuadruples) + thread / kQuadruples;
    float4 value = {0, 0, 0, 0};
    if (first + r < tile.rows.n) {
      value = *reinterpret_cast<const float4*>(from + tile.row(first + r) * kChannels + channel +
                                               column);
    }
    *reinterpret_cast<float4*>(to + r * to_stride + column) = value;
  }
}

template <int kChannels, int kRows>
__device__ inline void load_queries(const AttentionTile<kRows>& tile,
                                    AttentionShared<kChannels, kRows>& shared) {
#pragma unroll
  for (int c = 0; c < kChannels; c += kAttentionSlice) {
    load_slice<kChannels, kRowGroups * kRows>(tile, tile.memory.q, tile.first_query, c,
                                              &shared.q[0][c], kChannels + kAttentionPadding);
  }
}

__device__ inline const float4& quadruple(const float* at) {
  return *reinterpret_cast<const float4*>(at);
}

__device__ inline void add_product(const float4& a, const float4& b, float& sum) {
  sum = fmaf(a.x, b.x, sum);
  sum = fmaf(a.y, b.y, sum);
  sum = fmaf(a.z, b.z, sum);
  sum = fmaf(a.w, b.w, sum);
}

// q . k for the tile of keys from `first_key` on, channel after channel; kMaskedLogit for keys that
// a query does not see. The same bits in every kernel that calls it.
template <int kChannels, int kRows>
__device__ inline void tile_logits(const AttentionTile<kRows>& tile, int first_key,
                                   AttentionShared<kChannels, kRows>& shared,
                                   TileLogits<kRows>& logits) {
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
#pragma unroll
    for (int j = 0; j < kKeysPerThread; ++j)
      logits[r][j] = 0;
  }
#pragma unroll 1
  for (int slice = 0; slice < kChannels; slice += kAttentionSlice) {
    __syncthreads();
    load_slice<kChannels, kAttentionKeys>(tile, tile.memory.k, first_key, slice,
                                          &shared.slice[0][0], kSliceStride);
    __syncthreads();
#pragma unroll 2
    for (int c = 0; c < kAttentionSlice; c += 4) {
      float4 keys[kKeysPerThread];
#pragma unroll
      for (int j = 0; j < kKeysPerThread; ++j)
        keys[j] = quadruple(&shared.slice[tile.place.key(j)][c]);
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        const float4 query = quadruple(&shared.q[tile.place.row(r)][slice + c]);
#pragma unroll
        for (int j = 0; j < kKeysPerThread; ++j)
          add_product(query, keys[j], logits[r][j]);
      }
    }
  }
  if (tile.all_visible(tile.first_query, first_key, kAttentionKeys)) return;
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
#pragma unroll
    for (int j = 0; j < kKeysPerThread; ++j) {
      if (!tile.visible(tile.query(r), first_key + tile.place.key(j))) logits[r][j] = kMaskedLogit;
    }
  }
}

// pooled += weights V for the tile of keys from `first_key` on, key after key. The weights, as the
// logits before them, are spread over the threads.
template <int kChannels, int kRows>
__device__ inline void pool_tile(const AttentionTile<kRows>& tile, int first_key,
                                 const TileLogits<kRows>& weights,
                                 AttentionShared<kChannels, kRows>& shared,
                                 PooledRows<kChannels, kRows>& pooled) {
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
#pragma unroll
    for (int j = 0; j < kKeysPerThread; ++j)
      shared.weights[tile.place.row(r)][tile.place.key(j)] = weights[r][j];
  }
#pragma unroll
  for (int s = 0; s < kChannels / kAttentionSlice; ++s) {
    __syncthreads();
    load_slice<kChannels, kAttentionKeys>(tile, tile.memory.v, first_key, s * kAttentionSlice,
                                          &shared.slice[0][0], kSliceStride);
    __syncthreads();
#pragma unroll 1
    for (int key = 0; key < kAttentionKeys; key += 4) {
      float4 values[4];
#pragma unroll
      for (int j = 0; j < 4; ++j)
        values[j] = quadruple(&shared.slice[key + j][tile.place.lane * 4]);
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        const float4 weight = quadruple(&shared.weights[tile.place.row(r)][key]);
        add_scaled(weight.x, values[0], pooled[s][r]);
        add_scaled(weight.y, values[1], pooled[s][r]);
        add_scaled(weight.z, values[2], pooled[s][r]);
        add_scaled(weight.w, values[3], pooled[s][r]);
      }
    }
  }
}

// out = pooled / sum of the weights; sums: what the thread's own keys have of it, per row.
template <int kChannels, int kRows>
__device__ inline void store_pooled(const AttentionTile<kRows>& tile, const float (&sums)[kRows],
                                    AttentionShared<kChannels, kRows>& shared,
                                    const PooledRows<kChannels, kRows>& pooled) {
  __syncthreads();
#pragma unroll
  for (int r = 0; r < kRows; ++r)
    shared.weights[tile.place.row(r)][tile.place.lane] = sums[r];
  __syncthreads();
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    if (tile.query(r) >= tile.query_end) continue;
    float sum = 0;
    for (int lane = 0; lane < kRowLanes; ++lane)
      sum += shared.weights[tile.place.row(r)][lane];
    const float scale = 1.0f / sum;
    float* to = tile.memory.out + tile.row(tile.query(r)) * kChannels + tile.place.lane * 4;
#pragma unroll
    for (int s = 0; s < kChannels / kAttentionSlice; ++s) {
      const float4& value = pooled[s][r];
      *reinterpret_cast<float4*>(to + s * kAttentionSlice) = {value.x * scale, value.y * scale,
                                                              value.z * scale, value.w * scale};
    }
  }
}

// Joins what the lanes have of a row, in order, and writes it.
__device__ inline void finish_row(const AttentionRows& memory, const LaneSums* lanes,
                                  long long row) {
  float largest = lanes[0].largest;
  StreamingEntropy<double> whole;
  for (int l = 0; l < kRowLanes; ++l) {
    largest = fmaxf(largest, lanes[l].largest);
    whole.merge(entropy_of(memory, lanes[l]));
  }
  write_row(memory, largest, whole, row);
}

// finish_row for every row of a block's tile; rows: shared memory that nothing else reads now.
template <int kRows>
__device__ inline void finish_rows(const AttentionTile<kRows>& tile, const LaneSums (&own)[kRows],
                                   LaneRows<kRows>& rows) {
  __syncthreads();
#pragma unroll
  for (int r = 0; r < kRows; ++r)
    rows[tile.place.row(r)][tile.place.lane] = own[r];
  __syncthreads();
  const int r = static_cast<int>(threadIdx.x);
  if (r >= kRowGroups * kRows || tile.first_query + r >= tile.query_end) return;
  finish_row(tile.rows, rows[r], tile.row(tile.first_query + r));
}

// Calls use(channels, rows, shape) with both numbers as constants, and how a kernel of such tiles
// is launched.
template <class Use>
void with_attention_tile(int channels, Use use) {
  with_channels(channels, [&](auto d) {
    const auto with_rows = [&](auto rows) {
      use(d, rows,
          TileShape{kRowGroups * rows, kAttentionThreads, sizeof(AttentionShared<d, rows>)});
    };
    // The tile of 64 channels fits every device.
    if constexpr (d > 64) {
      if (sizeof(AttentionShared<d, 8>) > most_shared_memory())
        return with_rows(std::integral_constant<int, 4>());
    }
    with_rows(std::integral_constant<int, 8>());
  });
}

}  // namespace dispersion
