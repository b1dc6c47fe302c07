#pragma once

#include "gpu/kernels/attention_rows.cuh"
#include "gpu/kernels/block.cuh"
#include "gpu/kernels/query_tile.cuh"
#include "gpu/kernels/tensor_core.cuh"

namespace dispersion {

// Tiles of attention on tensor cores. A warp has 32 queries, 16 with 256 channels, and keeps them
// in registers; keys and values come by shared memory, where every operand that is read meets all
// queries of the warp. A lane 4 g + t has of the rows g and g + 8 of every 16 queries the columns
// 2t and 2t + 1 of every 8 (tensor_core.cuh).
inline constexpr int kTensorQueries = 128;  // of a block
inline constexpr int kTensorKeys = 32;      // of a tile in shared memory
inline constexpr int kTensorStages = 3;     // tiles: one is computed with, two are on their way

template <int kChannels>
struct TensorShape {
  static constexpr int kBlocks = kChannels > 128 ? 1 : 2;  // of 16 queries, of a warp
  static constexpr int kRows = 2 * kBlocks;                // in a thread
  static constexpr int kThreads = kTensorQueries / (16 * kBlocks) * kWarp;
  // Keys whose logits are held at a time, as many as there are registers for, and how many numbers
  // of a row that is in a thread.
  static constexpr int kGroup = 32 / kBlocks;
  static constexpr int kNumbers = kGroup / 4;
  static constexpr int kChunks = kChannels / 8;  // of a row in shared memory
  // Blocks that a multiprocessor is to have registers for: with 128, 168 or 255 a thread.
  static constexpr int kScoresBlocks = 512 / kThreads;
  static constexpr int kPoolBlocks = (kChannels == 64 ? 384 : 256) / kThreads;
};

// Of the warp, as multiply_add takes them.
template <int kChannels>
using TensorQueries = uint4[TensorShape<kChannels>::kBlocks][kChannels / 16];

// Logits or weights of the thread's rows; columns 2t and 2t + 1 of block b at 2b and 2b + 1.
template <int kChannels>
using TensorLogits = float[TensorShape<kChannels>::kRows][TensorShape<kChannels>::kNumbers];
template <int kChannels>
using TensorPooled = float[TensorShape<kChannels>::kRows][kChannels / 4];  // likewise, of channels

// Tiles of rows of bf16 in chunks of 8 channels. Chunk c of row r lies at c ^ r % 8: eight rows of
// one column then lie in different banks.
template <int kChannels>
constexpr int kTensorTileChunks = kTensorKeys* TensorShape<kChannels>::kChunks;
template <int kChannels>
using TensorRows = uint4[kTensorStages * kTensorTileChunks<kChannels>];

template <int kChannels>
struct TensorKeys {
  TensorRows<kChannels> keys;
};
template <int kChannels>
struct TensorKeysAndValues : TensorKeys<kChannels> {
  TensorRows<kChannels> values;
};

// The place of the calling thread.
template <int kChannels>
struct TensorTile : QueryTile {
  using Shape = TensorShape<kChannels>;

  __device__ explicit TensorTile(const AttentionMemory<Bf16>& whole)
      : QueryTile(whole.rows, kTensorQueries),
        memory(whole),
        lane(lane_of_thread()),
        warp_query(first_query + warp_of_thread() * (16 * Shape::kBlocks)) {}

  // Of the thread's row r.
  __device__ int query(int r) const { return warp_query + r * 8 + lane / 4; }
  // Some query of the warp sees keys from there on.
  __device__ bool sees(int first_key) const {
    return !rows.causal || first_key < warp_query + 16 * Shape::kBlocks;
  }

  const AttentionMemory<Bf16>& memory;
  int lane;
  int warp_query;  // the first of the warp
};

// In place of queries past the last, which are not written, the last.
template <int kChannels>
__device__ inline void load_tensor_queries(const TensorTile<kChannels>& tile,
                                           TensorQueries<kChannels>& q) {
#pragma unroll
  for (int m = 0; m < TensorShape<kChannels>::kBlocks; ++m) {
    const auto pairs = [&](int r) {
      const int query = min(tile.query(r), tile.query_end - 1);
      return reinterpret_cast<const unsigned*>(tile.memory.q + tile.row(query) * kChannels) +
             tile.lane % 4;
    };
    const unsigned* low = pairs(2 * m);
    const unsigned* high = pairs(2 * m + 1);
#pragma unroll
    for (int c = 0; c < kChannels / 16; ++c)
      q[m][c] = {low[8 * c], high[8 * c], low[8 * c + 4], high[8 * c + 4]};
  }
}

// Begins to copy a tile of [heads, n, kChannels] from row `first` on to the chunks from `start` on;
// 0 past the last row. Each thread has every kThreads-th chunk.
template <int kChannels>
__device__ inline void begin_rows(const TensorTile<kChannels>& tile, const Bf16* from, int first,
                                  int start, TensorRows<kChannels>& to) {
  using Shape = TensorShape<kChannels>;
  static_assert(Shape::kThreads % (8 * Shape::kChunks) == 0);  // all its rows are alike modulo 8
  const int thread = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(threadIdx.x / Shape::kChunks % 8);
  const int left = min(tile.rows.n - first, kTensorKeys) * Shape::kChunks;
  const Bf16* source = from + tile.row(first) * kChannels + thread * 8;
  uint4* place = to + start + (thread ^ row);
#pragma unroll
  for (int i = 0; i < kTensorTileChunks<kChannels>; i += Shape::kThreads)
    begin_copy(reinterpret_cast<const uint4*>(source + i * 8), thread + i < left, place + i);
}

// kMaskedLogit for what a query does not see. Differences, so that rows need no registers.
template <int kChannels>
__device__ inline void mask_logits(const TensorTile<kChannels>& tile, int first_key,
                                   TensorLogits<kChannels>& logits) {
  const int first = first_key + tile.lane % 4 * 2;
  const int left = tile.rows.n - first;                                  // keys from `first` on
  const int seen = tile.rows.causal ? tile.query(0) + 1 - first : left;  // by row 0, of them
#pragma unroll
  for (int r = 0; r < TensorShape<kChannels>::kRows; ++r) {
#pragma unroll
    for (int i = 0; i < TensorShape<kChannels>::kNumbers; ++i) {
      const int key = i / 2 * 8 + i % 2;
      if (key >= left || key - 8 * r >= seen) logits[r][i] = kMaskedLogit;
    }
  }
}

// Where chunk 2 pair + half, half being 0 or 1, of a row lies; at: where chunk 0 of the row would
// lie, were it half ^ row % 8. A place takes one instruction and no register of its own then.
template <int kChannels>
__device__ inline int named_row(int row, int half) {
  return row * TensorShape<kChannels>::kChunks + (half ^ row % 8);
}
__device__ inline int named_chunk(int at, int pair) {
  return (at ^ pair % 4 * 2) + pair / 4 * 8;
}

// q . k of kGroup keys, which lie in `keys` from chunk `start` on. Channel after channel: the same
// bits in every kernel that calls it.
template <int kChannels>
__device__ inline void tensor_logits(int start, int lane, const TensorQueries<kChannels>& q,
                                     const TensorRows<kChannels>& keys,
                                     TensorLogits<kChannels>& logits) {
  using Shape = TensorShape<kChannels>;
#pragma unroll
  for (int r = 0; r < Shape::kRows; ++r) {
#pragma unroll
    for (int i = 0; i < Shape::kNumbers; ++i)
      logits[r][i] = 0;
  }
  const int at = start + named_row<kChannels>(lane / 16 * 8 + lane % 8, lane / 8 % 2);
#pragma unroll
  for (int c = 0; c < kChannels / 16; ++c) {
#pragma unroll
    for (int b = 0; b < Shape::kGroup / 16; ++b) {
      const uint4 part = load_matrices(keys + named_chunk(at, c) + b * 16 * Shape::kChunks);
#pragma unroll
      for (int m = 0; m < Shape::kBlocks; ++m) {
        float* low = &logits[2 * m][4 * b];
        float* high = &logits[2 * m + 1][4 * b];
        multiply_add(q[m][c], {part.x, part.y}, low[0], low[1], high[0], high[1]);
        multiply_add(q[m][c], {part.z, part.w}, low[2], low[3], high[2], high[3]);
      }
    }
  }
}

// pooled += weights V of kGroup keys, with the weights rounded to bf16; the values lie in `values`
// from chunk `start` on.
template <int kChannels>
__device__ inline void tensor_pool(int start, int lane, const TensorLogits<kChannels>& weights,
                                   const TensorRows<kChannels>& values,
                                   TensorPooled<kChannels>& pooled) {
  using Shape = TensorShape<kChannels>;
  const int at = start + named_row<kChannels>(lane % 16, lane / 16);
#pragma unroll
  for (int k = 0; k < Shape::kGroup / 16; ++k) {
    uint4 part[Shape::kBlocks];
#pragma unroll
    for (int m = 0; m < Shape::kBlocks; ++m) {
      const float* low = &weights[2 * m][4 * k];
      const float* high = &weights[2 * m + 1][4 * k];
      part[m] = {pack_bf16(low[0], low[1]), pack_bf16(high[0], high[1]), pack_bf16(low[2], low[3]),
                 pack_bf16(high[2], high[3])};
    }
#pragma unroll
    for (int c = 0; c < kChannels / 16; ++c) {
      const uint4 v =
          load_matrices_transposed(values + named_chunk(at, c) + k * 16 * Shape::kChunks);
#pragma unroll
      for (int m = 0; m < Shape::kBlocks; ++m) {
        float* low = &pooled[2 * m][4 * c];
        float* high = &pooled[2 * m + 1][4 * c];
        multiply_add(part[m], {v.x, v.y}, low[0], low[1], high[0], high[1]);
        multiply_add(part[m], {v.z, v.w}, low[2], low[3], high[2], high[3]);
      }
    }
  }
}

// Over the four lanes that share a row.
__device__ inline float row_sum(float value) {
  value += __shfl_xor_sync(kAllLanes, value, 1);
  return value + __shfl_xor_sync(kAllLanes, value, 2);
}
__device__ inline float row_largest(float value) {
  return largest_of_lanes<4>(value);
}

// out = pooled / sum of the weights, rounded to bf16; sum: the thread's part of it, for row r.
template <int kChannels>
__device__ inline void store_tensor_pooled(const TensorTile<kChannels>& tile, int r, float sum,
                                           const TensorPooled<kChannels>& pooled) {
  const float scale = 1.0f / row_sum(sum);
  if (tile.query(r) >= tile.query_end) return;
  Bf16* to = tile.memory.out + tile.row(tile.query(r)) * kChannels + tile.lane % 4 * 2;
#pragma unroll
  for (int c = 0; c < kChannels / 8; ++c) {
    *reinterpret_cast<unsigned*>(to + c * 8) =
        pack_bf16(pooled[r][2 * c] * scale, pooled[r][2 * c + 1] * scale);
  }
}

// Joins what the four lanes have of row r and writes it.
template <int kChannels>
__device__ inline void write_tensor_row(const TensorTile<kChannels>& tile, int r,
                                        const LaneSums& sums) {
  StreamingEntropy<double> whole = entropy_of(tile.rows, sums);
  whole.merge(from_lane_across(whole, 1));
  whole.merge(from_lane_across(whole, 2));
  const float largest = row_largest(sums.largest);
  if (tile.lane % 4 == 0 && tile.query(r) < tile.query_end)
    write_row(tile.rows, largest, whole, tile.row(tile.query(r)));
}

}  // namespace dispersion
