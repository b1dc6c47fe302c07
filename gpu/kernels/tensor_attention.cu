#include "gpu/kernels/attention_kernels.h"

#include <stdexcept>

#include "gpu/kernels/launch_tiles.h"
#include "gpu/kernels/tensor_tile.cuh"
#include "gpu/runtime/cuda_error.h"

namespace dispersion {
namespace {

// Calls use(first_key, buffer) for every tile of keys when it has come, while the next comes.
// The queries come with the first. kValues: values come with the keys.
template <int kChannels, bool kValues, class Use>
__device__ void for_each_key_tile(const TensorTile& tile, TensorShared<kChannels>& shared,
                                  Use use) {
  const auto begin_tile = [&](int first_key, int buffer) {
    begin_rows<kChannels>(tile, tile.memory.k, first_key, shared.keys[buffer]);
    if constexpr (kValues)
      begin_rows<kChannels>(tile, tile.memory.v, first_key, shared.values[buffer]);
    end_batch();
  };
  begin_rows<kChannels>(tile, tile.memory.q, tile.first_query, shared.q);
  begin_tile(0, 0);
  const int end = tile.key_end();
  int buffer = 0;
  for (int first_key = 0; first_key < end; first_key += kAttentionKeys) {
    if (first_key + kAttentionKeys < end) {
      begin_tile(first_key + kAttentionKeys, 1 - buffer);
      wait_for_batches<1>();
    } else {
      wait_for_batches<0>();
    }
    __syncthreads();
    use(first_key, buffer);
    __syncthreads();
    buffer = 1 - buffer;
  }
}

template <int kChannels>
__global__ void __launch_bounds__(kTensorThreads, kTensorBlocks)
    tensor_scores_kernel(AttentionMemory<Bf16> memory) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  auto& shared = *dynamic_shared<TensorShared<kChannels>>();
  const TensorTile tile(memory);
  TensorSums sums[2];
  for_each_key_tile<kChannels, false>(tile, shared, [&](int first_key, int buffer) {
    TensorLogits logits;
    tensor_logits<kChannels>(tile, first_key, shared.q, shared.keys[buffer], logits);
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      raise_centre(logits[r], tile.rows.exponent_scale, sums[r]);
      push_tensor_logits(tile.rows.exponent_scale, logits[r], sums[r]);
    }
  });
  write_tensor_rows(tile, sums);
#else
  __trap();
#endif
}

template <int kChannels>
__global__ void __launch_bounds__(kTensorThreads, kTensorBlocks)
    tensor_pool_kernel(AttentionMemory<Bf16> memory) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  auto& shared = *dynamic_shared<TensorShared<kChannels>>();
  const TensorTile tile(memory);
  float scale[2];
  float centre[2];
  float sums[2] = {};
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    const bool inside = tile.query(r) < tile.rows.n;
    const long long row = tile.row(inside ? tile.query(r) : 0);
    scale[r] = tile.rows.exponent_scale * tile.rows.beta[row];
    centre[r] = scale[r] * tile.rows.largest[row];
  }
  TensorPooled<kChannels> pooled = {};
  for_each_key_tile<kChannels, true>(tile, shared, [&](int first_key, int buffer) {
    TensorLogits logits;
    tensor_logits<kChannels>(tile, first_key, shared.q, shared.keys[buffer], logits);
#pragma unroll
    for (int r = 0; r < 2; ++r) {
#pragma unroll
      for (int i = 0; i < kPairs; ++i) {
        logits[r][i] = fast_exp2(fmaf(scale[r], logits[r][i], -centre[r]));
        sums[r] += logits[r][i];
      }
    }
    tensor_pool<kChannels>(tile, logits, shared.values[buffer], pooled);
  });
  store_tensor_pooled<kChannels>(tile, sums, pooled);
#else
  __trap();
#endif
}

template <int kChannels>
__global__ void __launch_bounds__(kTensorThreads, kTensorBlocks)
    tensor_flash_kernel(AttentionMemory<Bf16> memory) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  auto& shared = *dynamic_shared<TensorShared<kChannels>>();
  const TensorTile tile(memory);
  TensorSums sums[2];
  TensorPooled<kChannels> pooled = {};
  for_each_key_tile<kChannels, true>(tile, shared, [&](int first_key, int buffer) {
    TensorLogits logits;
    tensor_logits<kChannels>(tile, first_key, shared.q, shared.keys[buffer], logits);
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const float factor = raise_centre(logits[r], tile.rows.exponent_scale, sums[r]);
      if (factor != 1) {
#pragma unroll
        for (int i = 0; i < kChannels / 4; ++i)
          pooled[r][i] *= factor;
      }
      push_tensor_logits(tile.rows.exponent_scale, logits[r], sums[r]);
    }
    tensor_pool<kChannels>(tile, logits, shared.values[buffer], pooled);
  });
  const float row_sums[2] = {sums[0].sum, sums[1].sum};
  store_tensor_pooled<kChannels>(tile, row_sums, pooled);
  write_tensor_rows(tile, sums);
#else
  __trap();
#endif
}

constexpr int kOldestPtx = 80;

void launch(Stream& stream, void (*kernel)(AttentionMemory<Bf16>), std::size_t shared_bytes,
            const AttentionMemory<Bf16>& memory) {
  if (!has_tensor_kernels()) {
    throw std::runtime_error(
        "streaming attention: this program has no bf16 code for the device; it needs code for "
        "compute capability 8.0 or newer");
  }
  launch_tiles(stream, kernel, kTensorThreads, shared_bytes, memory);
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
    // Values, the last member, are not needed.
    constexpr std::size_t kShared =
        sizeof(TensorShared<channels>) - sizeof(TensorShared<channels>::values);
    launch(stream, tensor_scores_kernel<channels>, kShared, memory);
  });
}

void launch_tensor_pool(Stream& stream, const AttentionMemory<Bf16>& memory) {
  with_channels(memory.channels, [&](auto channels) {
    launch(stream, tensor_pool_kernel<channels>, sizeof(TensorShared<channels>), memory);
  });
}

void launch_tensor_flash(Stream& stream, const AttentionMemory<Bf16>& memory) {
  with_channels(memory.channels, [&](auto channels) {
    launch(stream, tensor_flash_kernel<channels>, sizeof(TensorShared<channels>), memory);
  });
}

}  // namespace dispersion
