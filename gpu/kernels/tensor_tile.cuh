#pragma once

#include "gpu/kernels/attention_rows.cuh"
#include "gpu/kernels/block.cuh"
#include "gpu/kernels/query_tile.cuh"
#include "gpu/kernels/tensor_core.cuh"

namespace dispersion {

// Tiles of attention on tensor cores: four warps with 16 queries each. In a warp, lane 4 g + t has
// of the rows g and g + 8 the columns 2t and 2t + 1 of every 8 (tensor_core.cuh).
inline constexpr int kTensorThreads = 128;
inline constexpr int kTensorBlocks = 2;  // of a multiprocessor at least; leaves 255 registers
inline constexpr int kColumnBlocks = kAttentionKeys / 8;
inline constexpr int kPairs = 2 * kColumnBlocks;  // numbers of a row in a thread

// Logits or weights of the thread's two rows; columns 2t and 2t + 1 of block b at 2b and 2b + 1.
using TensorLogits = float[2][kPairs];

// Stands for a logit that a query does not see. Finite, so that nothing needs a guard against it:
// its weight is 0 as soon as the row has a visible key, and every row has one.
inline constexpr float kMaskedLogit = -1e30f;

// 64 rows of bf16 in chunks of 8 channels. Chunk c of row r lies at c ^ r % 8: eight rows of one
// column then lie in different banks.
template <int kChannels>
using TensorRows = uint4[kAttentionKeys * kChannels / 8];

// Where chunk `chunk + next` is, next being below 8 - chunk % 8. Apart, because only few places
// have to be worked out then: those of chunks 8 further on are 8 further on.
template <int kChannels>
__device__ inline int chunk_place(int row, int chunk, int next) {
  return row * (kChannels / 8) + chunk / 8 * 8 + ((chunk % 8 + next) ^ (row % 8));
}

template <int kChannels>
struct TensorShared {
  TensorRows<kChannels> q;
  // Of the tile that is computed with and of the next, which is on its way.
  TensorRows<kChannels> keys[2];
  TensorRows<kChannels> values[2];
};

// The place of the calling thread.
struct TensorTile : QueryTile {
  __device__ explicit TensorTile(const AttentionMemory<Bf16>& whole)
      : QueryTile(whole.rows),
        memory(whole),
        warp(static_cast<int>(threadIdx.x) / kWarp),
        lane(static_cast<int>(threadIdx.x) % kWarp) {}

  // Of the thread's row r, 0 or 1.
  __device__ int query(int r) const { return first_query + warp * 16 + r * 8 + lane / 4; }

  const AttentionMemory<Bf16>& memory;
  int warp;
  int lane;
};

// Begins to copy 64 rows of [heads, n, kChannels] from row `first` on; 0 past the last row.
template <int kChannels>
__device__ inline void begin_rows(const TensorTile& tile, const Bf16* from, int first,
                                  TensorRows<kChannels>& to) {
  constexpr int kChunks = kChannels / 8;
  // Addresses take registers.
#pragma unroll 2
  for (int i = 0; i < kAttentionKeys * kChunks / kTensorThreads; ++i) {
    const int at = i * kTensorThreads + static_cast<int>(threadIdx.x);
    const int row = at / kChunks;
    const bool there = first + row < tile.rows.n;
    const Bf16* source = from + tile.row(there ? first + row : 0) * kChannels + at % kChunks * 8;
    begin_copy(reinterpret_cast<const uint4*>(source), there,
               to + chunk_place<kChannels>(row, at % kChunks, 0));
  }
}

// q . k of the tile of keys from `first_key` on. The same bits in every kernel that calls it.
template <int kChannels>
__device__ inline void tensor_logits(const TensorTile& tile, int first_key,
                                     const TensorRows<kChannels>& q,
                                     const TensorRows<kChannels>& keys, TensorLogits& logits) {
#pragma unroll
  for (int i = 0; i < kPairs; ++i) {
    logits[0][i] = logits[1][i] = 0;
  }
  // With 256 channels there are no registers for more at a time.
#pragma unroll(kChannels > 128 ? 1 : kChannels / 32)
  for (int c = 0; c < kChannels / 32; ++c) {
    const int row = tile.warp * 16 + tile.lane % 16;
    const uint4 query = load_matrices(q + chunk_place<kChannels>(row, 4 * c, tile.lane / 16));
    const uint4 next = load_matrices(q + chunk_place<kChannels>(row, 4 * c + 2, tile.lane / 16));
#pragma unroll
    for (int b = 0; b < kColumnBlocks; ++b) {
      const uint4 key =
          load_matrices(keys + chunk_place<kChannels>(b * 8 + tile.lane % 8, 4 * c, tile.lane / 8));
      float* low = &logits[0][2 * b];
      float* high = &logits[1][2 * b];
      multiply_add(query, {key.x, key.y}, low[0], low[1], high[0], high[1]);
      multiply_add(next, {key.z, key.w}, low[0], low[1], high[0], high[1]);
    }
  }
  if (tile.all_visible(first_key)) return;
#pragma unroll
  for (int r = 0; r < 2; ++r) {
#pragma unroll
    for (int i = 0; i < kPairs; ++i) {
      const int key = first_key + i / 2 * 8 + tile.lane % 4 * 2 + i % 2;
      if (!tile.visible(tile.query(r), key)) logits[r][i] = kMaskedLogit;
    }
  }
}

template <int kChannels>
using TensorPooled = float[2][kChannels / 4];  // as TensorLogits, of channels

// pooled += weights V, with the weights rounded to bf16.
template <int kChannels>
__device__ inline void tensor_pool(const TensorTile& tile, const TensorLogits& weights,
                                   const TensorRows<kChannels>& values,
                                   TensorPooled<kChannels>& pooled) {
#pragma unroll
  for (int k = 0; k < kAttentionKeys / 16; ++k) {
    const uint4 part = {pack_bf16(weights[0][4 * k], weights[0][4 * k + 1]),
                        pack_bf16(weights[1][4 * k], weights[1][4 * k + 1]),
                        pack_bf16(weights[0][4 * k + 2], weights[0][4 * k + 3]),
                        pack_bf16(weights[1][4 * k + 2], weights[1][4 * k + 3])};
#pragma unroll
    for (int c = 0; c < kChannels / 16; ++c) {
      const uint4 v = load_matrices_transposed(
          values + chunk_place<kChannels>(k * 16 + tile.lane % 16, 2 * c, tile.lane / 16));
      float* low = &pooled[0][4 * c];
      float* high = &pooled[1][4 * c];
      multiply_add(part, {v.x, v.y}, low[0], low[1], high[0], high[1]);
      multiply_add(part, {v.z, v.w}, low[2], low[3], high[2], high[3]);
    }
  }
}

// Over the four lanes that share a row.
__device__ inline float row_sum(float value) {
  value += __shfl_xor_sync(kAllLanes, value, 1);
  return value + __shfl_xor_sync(kAllLanes, value, 2);
}
__device__ inline float row_largest(float value) {
  value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, 1));
  return fmaxf(value, __shfl_xor_sync(kAllLanes, value, 2));
}

// out = pooled / sum of the weights, rounded to bf16; sums: the thread's part of it.
template <int kChannels>
__device__ inline void store_tensor_pooled(const TensorTile& tile, const float (&sums)[2],
                                           const TensorPooled<kChannels>& pooled) {
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    const float scale = 1.0f / row_sum(sums[r]);
    if (tile.query(r) >= tile.rows.n) continue;
    Bf16* to = tile.memory.out + tile.row(tile.query(r)) * kChannels + tile.lane % 4 * 2;
#pragma unroll
    for (int c = 0; c < kChannels / 8; ++c) {
      *reinterpret_cast<unsigned*>(to + c * 8) =
          pack_bf16(pooled[r][2 * c] * scale, pooled[r][2 * c + 1] * scale);
    }
  }
}

// A row's sums so far, of the thread's own columns: with x = exponent_scale q . k - centre, of 2^x
// and of 2^x x. The centre, exponent_scale times the largest logit, is the same in all lanes of a
// row; that it is rounded does not matter, as nothing else is used.
struct TensorSums {
  float largest = kMaskedLogit;
  float centre = 0;
  float sum = 0;
  float weighted_sum = 0;
};

// Moves the sums to the largest logit with the new ones. Returns what older sums are to be
// multiplied with.
__device__ inline float raise_centre(const float (&logits)[kPairs], float exponent_scale,
                                     TensorSums& row) {
  float largest = row.largest;
#pragma unroll
  for (int i = 0; i < kPairs; ++i)
    largest = fmaxf(largest, logits[i]);
  largest = row_largest(largest);
  if (largest == row.largest) return 1;
  const float centre = exponent_scale * largest;
  const float shift = row.sum > 0 ? row.centre - centre : 0.0f;
  const float factor = fast_exp2(shift);
  row.weighted_sum = factor * fmaf(shift, row.sum, row.weighted_sum);
  row.sum *= factor;
  row.largest = largest;
  row.centre = centre;
  return factor;
}

// Adds the logits and turns them into their weights.
__device__ inline void push_tensor_logits(float exponent_scale, float (&logits)[kPairs],
                                          TensorSums& row) {
  float sum = 0;
  float weighted_sum = 0;
#pragma unroll
  for (int i = 0; i < kPairs; ++i) {
    const float x = fmaf(exponent_scale, logits[i], -row.centre);
    logits[i] = fast_exp2(x);
    sum += logits[i];
    weighted_sum = fmaf(logits[i], x, weighted_sum);
  }
  row.sum += sum;
  row.weighted_sum += weighted_sum;
}

__device__ inline void write_tensor_rows(const TensorTile& tile, const TensorSums (&sums)[2]) {
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    StreamingEntropy<double> whole;
    whole.max = kLog2 * static_cast<double>(sums[r].centre);
    whole.sum = static_cast<double>(row_sum(sums[r].sum));
    whole.weighted_sum = kLog2 * static_cast<double>(row_sum(sums[r].weighted_sum));
    if (tile.lane % 4 == 0 && tile.query(r) < tile.rows.n)
      write_row(tile.rows, sums[r].largest, whole, tile.row(tile.query(r)));
  }
}

}  // namespace dispersion
