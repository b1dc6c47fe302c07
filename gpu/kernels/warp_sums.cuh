#pragma once

#include <cuda_runtime.h>

#include "gpu/kernels/block.cuh"

namespace dispersion {

// Sums of kCount values over the lanes of a warp, kCount a power of two up to kWarp: lane l gets
// the sum of value l % kCount. A tree of fixed shape; each exchange halves the values that a lane
// still keeps, so that it takes kCount - 1 + log2(kWarp / kCount) shuffles. Uses up the values.
// kKept: how many values a lane still keeps (a template, as the array must stay in registers).
template <int kCount, int kKept = kCount, class Scalar>
__device__ inline Scalar warp_sums(Scalar (&values)[kCount]) {
  static_assert(kCount > 0 && kCount <= kWarp && (kCount & (kCount - 1)) == 0);
  if constexpr (kKept > 1) {
    constexpr int kHalf = kKept / 2;
    const bool upper = (static_cast<int>(threadIdx.x) & kHalf) != 0;
#pragma unroll
    for (int i = 0; i < kHalf; ++i) {
      const Scalar given = upper ? values[i] : values[i + kHalf];
      const Scalar own = upper ? values[i + kHalf] : values[i];
      values[i] = own + __shfl_xor_sync(kAllLanes, given, kHalf);
    }
    return warp_sums<kCount, kHalf>(values);
  } else {
    Scalar sum = values[0];
#pragma unroll
    for (int distance = kCount; distance < kWarp; distance *= 2)
      sum += __shfl_xor_sync(kAllLanes, sum, distance);
    return sum;
  }
}

}  // namespace dispersion
