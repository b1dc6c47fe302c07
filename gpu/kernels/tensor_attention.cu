#include "gpu/kernels/attention_kernels.h"

#include <stdexcept>
#include <type_traits>

#include "gpu/kernels/launch_tiles.h"
#include "gpu/kernels/tensor_tile.cuh"
#include "gpu/runtime/cuda_error.h"

namespace dispersion {
namespace {

// Calls use(first_key, start) for every tile of keys when it has come, while the next two come;
// start: its first chunk in shared memory. Values come with the keys where `Shared` has room for
// them.
template <int kChannels, class Shared, class Use>
__device__ void for_each_key_tile(const TensorTile<kChannels>& tile, Shared& shared, Use use) {
  constexpr int kTile = kTensorTileChunks<kChannels>;
  constexpr int kLast = (kTensorStages - 1) * kTile;
  const auto begin_tile = [&](int first_key, int start) {
    if (first_key < tile.key_end) {
      begin_rows(tile, tile.memory.k, first_key, start, shared.keys);
      if constexpr (std::is_same_v<Shared, TensorKeysAndValues<kChannels>>)
        begin_rows(tile, tile.memory.v, first_key, start, shared.values);
    }
    end_batch();
  };
  constexpr int kAhead = kTensorStages - 1;
  for (int i = 0; i < kAhead; ++i)
    begin_tile(i * kTensorKeys, i * kTile);
  int start = 0;
#pragma unroll 1
  for (int first_key = 0; first_key < tile.key_end; first_key += kTensorKeys) {
    wait_for_batches<kAhead - 1>();
    // The tile has come by every thread, and every thread is done with the one before it, whose
    // place is free.
    __syncthreads();
    begin_tile(first_key + kAhead * kTensorKeys, start == 0 ? kLast : start - kTile);
    use(first_key, start);
    start = start == kLast ? 0 : start + kTile;
  }
}

// Calls use(chunk, logits) for the groups of a tile that some query of the warp sees; chunk: the
// first of the group in shared memory.
template <int kChannels, class Use>
__device__ void for_each_group(const TensorTile<kChannels>& tile, int first_key, int start,
                               const TensorQueries<kChannels>& q, const TensorRows<kChannels>& keys,
                               Use use) {
  using Shape = TensorShape<kChannels>;
  const bool all_visible = tile.all_visible(tile.warp_query, first_key, kTensorKeys);
#pragma unroll
  for (int key = 0; key < kTensorKeys; key += Shape::kGroup) {
    if (!all_visible && !tile.sees(first_key + key)) return;
    TensorLogits<kChannels> logits;
    const int chunk = start + key * Shape::kChunks;
    tensor_logits<kChannels>(chunk, tile.lane, q, keys, logits);
    if (!all_visible) mask_logits(tile, first_key + key, logits);
    use(chunk, logits);
  }
}

// A float loses the last bits of what is added to a sum of many: sums are begun anew after so many
// keys, and those of before kept apart, so that their errors grow with the root of the keys.
constexpr int kKeysOfSum = 512;
static_assert(kKeysOfSum % kTensorKeys == 0);

// Whether some lane of the warp has a logit above its largest so far; largest: with the new ones.
// Rows that stay where they are may be raised along: no bit of them changes.
template <int kChannels>
__device__ bool any_larger(const TensorLogits<kChannels>& logits,
                           const LaneSums (&rows)[TensorShape<kChannels>::kRows],
                           float (&largest)[TensorShape<kChannels>::kRows]) {
  bool larger = false;
#pragma unroll
  for (int r = 0; r < TensorShape<kChannels>::kRows; ++r) {
    largest[r] = fmaxf(largest_logit(logits[r]), rows[r].largest);
    larger = larger || largest[r] > rows[r].largest;
  }
  return __any_sync(kAllLanes, larger) != 0;
}

// Every lane keeps its own largest logit; they meet only at the end.
template <int kChannels>
__global__ void __launch_bounds__(TensorShape<kChannels>::kThreads,
                                  TensorShape<kChannels>::kScoresBlocks)
    tensor_scores_kernel(AttentionMemory<Bf16> memory) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  constexpr int kRows = TensorShape<kChannels>::kRows;
  auto& shared = *dynamic_shared<TensorKeys<kChannels>>();
  const TensorTile<kChannels> tile(memory);
  const float scale = tile.rows.exponent_scale;
  TensorQueries<kChannels> q;
  load_tensor_queries(tile, q);
  LaneSums recent[kRows];
  LaneSums whole[kRows];
  for_each_key_tile(tile, shared, [&](int first_key, int start) {
    for_each_group(tile, first_key, start, q, shared.keys,
                   [&](int, TensorLogits<kChannels>& logits) {
                     float largest[kRows];
                     if (any_larger<kChannels>(logits, recent, largest)) {
#pragma unroll
                       for (int r = 0; r < kRows; ++r)
                         raise_largest(largest[r], scale, recent[r]);
                     }
#pragma unroll
                     for (int r = 0; r < kRows; ++r)
                       push_logits(scale, logits[r], recent[r]);
                   });
    if ((first_key + kTensorKeys) % kKeysOfSum != 0) return;
#pragma unroll
    for (int r = 0; r < kRows; ++r)
      collect(scale, recent[r], whole[r]);
  });
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    collect(scale, recent[r], whole[r]);
    write_tensor_row(tile, r, whole[r]);
  }
#else
  __trap();
#endif
}

template <int kChannels>
__global__ void __launch_bounds__(TensorShape<kChannels>::kThreads,
                                  TensorShape<kChannels>::kPoolBlocks)
    tensor_pool_kernel(AttentionMemory<Bf16> memory) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  constexpr int kRows = TensorShape<kChannels>::kRows;
  auto& shared = *dynamic_shared<TensorKeysAndValues<kChannels>>();
  const TensorTile<kChannels> tile(memory);
  TensorQueries<kChannels> q;
  load_tensor_queries(tile, q);
  float largest[kRows];
  float scale[kRows];
  float sums[kRows] = {};
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const long long row = tile.row(min(tile.query(r), tile.query_end - 1));
    largest[r] = tile.rows.largest[row];
    scale[r] = second_scale(tile.rows, row);
  }
  TensorPooled<kChannels> pooled = {};
  for_each_key_tile(tile, shared, [&](int first_key, int start) {
    for_each_group(tile, first_key, start, q, shared.keys,
                   [&](int chunk, TensorLogits<kChannels>& logits) {
#pragma unroll
                     for (int r = 0; r < kRows; ++r)
                       sums[r] += weigh(scale[r], largest[r], logits[r]);
                     tensor_pool<kChannels>(chunk, tile.lane, logits, shared.values, pooled);
                   });
  });
#pragma unroll
  for (int r = 0; r < kRows; ++r)
    store_tensor_pooled(tile, r, sums[r], pooled);
#else
  __trap();
#endif
}

// Moves the rows of the warp, and what they have pooled, to their largest logits with the new ones
// where those of one of them are larger.
template <int kChannels>
__device__ void raise_rows(float exponent_scale, const TensorLogits<kChannels>& logits,
                           LaneSums (&rows)[TensorShape<kChannels>::kRows],
                           TensorPooled<kChannels>& pooled) {
  constexpr int kRows = TensorShape<kChannels>::kRows;
  float largest[kRows];
  if (!any_larger<kChannels>(logits, rows, largest)) return;
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const float factor = raise_largest(row_largest(largest[r]), exponent_scale, rows[r]);
#pragma unroll
    for (int i = 0; i < kChannels / 4; ++i)
      pooled[r][i] *= factor;
  }
}

template <int kChannels>
__global__ void __launch_bounds__(TensorShape<kChannels>::kThreads,
                                  TensorShape<kChannels>::kPoolBlocks)
    tensor_flash_kernel(AttentionMemory<Bf16> memory) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  constexpr int kRows = TensorShape<kChannels>::kRows;
  auto& shared = *dynamic_shared<TensorKeysAndValues<kChannels>>();
  const TensorTile<kChannels> tile(memory);
  const float scale = tile.rows.exponent_scale;
  TensorQueries<kChannels> q;
  load_tensor_queries(tile, q);
  LaneSums rows[kRows];
  TensorPooled<kChannels> pooled = {};
  for_each_key_tile(tile, shared, [&](int first_key, int start) {
    for_each_group(tile, first_key, start, q, shared.keys,
                   [&](int chunk, TensorLogits<kChannels>& logits) {
                     raise_rows<kChannels>(scale, logits, rows, pooled);
#pragma unroll
                     for (int r = 0; r < kRows; ++r)
                       push_logits(scale, logits[r], rows[r]);
                     tensor_pool<kChannels>(chunk, tile.lane, logits, shared.values, pooled);
                   });
  });
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    store_tensor_pooled(tile, r, rows[r].sum, pooled);
    write_tensor_row(tile, r, rows[r]);
  }
#else
  __trap();
#endif
}

constexpr int kOldestPtx = 80;

template <int kChannels, class Shared>
void launch(Stream& stream, void (*kernel)(AttentionMemory<Bf16>),
            const AttentionMemory<Bf16>& memory) {
  if (!has_tensor_kernels()) {
    throw std::runtime_error(
        "streaming attention: this program has no bf16 code for the device; it needs code for "
        "compute capability 8.0 or newer");
  }
  launch_tiles(stream, kernel, {kTensorQueries, TensorShape<kChannels>::kThreads, sizeof(Shared)},
               memory);
}

}  // namespace

bool has_tensor_kernels() {
  cudaFuncAttributes attributes;
  check(
      cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&tensor_scores_kernel<64>)),
      "cudaFuncGetAttributes");
  return attributes.ptxVersion >= kOldestPtx;
}

void launch_tensor_scores(Stream& stream, const AttentionMemory<Bf16>& memory) {
  with_channels(memory.channels, [&](auto channels) {
    launch<channels, TensorKeys<channels>>(stream, tensor_scores_kernel<channels>, memory);
  });
}

void launch_tensor_pool(Stream& stream, const AttentionMemory<Bf16>& memory) {
  with_channels(memory.channels, [&](auto channels) {
    launch<channels, TensorKeysAndValues<channels>>(stream, tensor_pool_kernel<channels>, memory);
  });
}

void launch_tensor_flash(Stream& stream, const AttentionMemory<Bf16>& memory) {
  with_channels(memory.channels, [&](auto channels) {
    launch<channels, TensorKeysAndValues<channels>>(stream, tensor_flash_kernel<channels>, memory);
  });
}

}  // namespace dispersion
