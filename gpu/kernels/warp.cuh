#pragma once

#include <cuda_runtime.h>

namespace dispersion {

inline constexpr int kWarp = 32;
inline constexpr unsigned kAllLanes = 0xffffffffu;

// Over the lanes of a warp, as a tree of fixed shape; every lane gets the result.
template <class Scalar>
__device__ inline Scalar warp_sum(Scalar value) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  return value;
}

template <class Scalar>
__device__ inline Scalar warp_largest(Scalar value) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    const Scalar other = __shfl_xor_sync(kAllLanes, value, distance);
    value = other > value ? other : value;
  }
  return value;
}

}  // namespace dispersion
