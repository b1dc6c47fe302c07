#pragma once

#include <cuda_runtime.h>

#include "gpu/kernels/group_memory.h"

namespace dispersion {

using TileSums = float[kTileRows];

// sum[r] += sum over i of x[r, i] w[i, channel], i ascending. x: shared memory, [kTileRows,
// kWidth], aligned to 16 bytes; w: [kWidth, kWidth]. The same for every tile, so a row's result
// does not depend on its neighbours.
__device__ inline void add_product(const float* x, const float* __restrict__ w, int channel,
                                   TileSums& sum) {
  for (int i = 0; i < kWidth; i += 4) {
    const float w0 = w[(i + 0) * kWidth + channel];
    const float w1 = w[(i + 1) * kWidth + channel];
    const float w2 = w[(i + 2) * kWidth + channel];
    const float w3 = w[(i + 3) * kWidth + channel];
#pragma unroll
    for (int r = 0; r < kTileRows; ++r) {
      const float4 four = *reinterpret_cast<const float4*>(x + r * kWidth + i);
      sum[r] = fmaf(four.x, w0, sum[r]);
      sum[r] = fmaf(four.y, w1, sum[r]);
      sum[r] = fmaf(four.z, w2, sum[r]);
      sum[r] = fmaf(four.w, w3, sum[r]);
    }
  }
}

// y = x w + bias, with a barrier before and after so that x may be overwritten by y.
__device__ inline void dense_tile(const float* x, const float* __restrict__ w, float bias,
                                  int channel, TileSums& y) {
  __syncthreads();
#pragma unroll
  for (int r = 0; r < kTileRows; ++r)
    y[r] = bias;
  add_product(x, w, channel, y);
  __syncthreads();
}

// Between a thread's column and shared or global memory, [kTileRows, kWidth]; rows from `count` on
// are left out of global memory and read as 0.
__device__ inline void store_shared(const TileSums& from, int channel, float* to) {
#pragma unroll
  for (int r = 0; r < kTileRows; ++r)
    to[r * kWidth + channel] = from[r];
}

__device__ inline void store_rows(const TileSums& from, int count, int channel, float* to) {
#pragma unroll
  for (int r = 0; r < kTileRows; ++r) {
    if (r < count) to[r * kWidth + channel] = from[r];
  }
}

__device__ inline void load_rows(const float* from, int count, int channel, TileSums& to) {
#pragma unroll
  for (int r = 0; r < kTileRows; ++r)
    to[r] = r < count ? from[r * kWidth + channel] : 0.0f;
}

}  // namespace dispersion
