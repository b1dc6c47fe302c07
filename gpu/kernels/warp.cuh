#pragma once

#include <cuda_runtime.h>

namespace dispersion {

inline constexpr int kWarp = 32;
inline constexpr unsigned kAllLanes = 0xffffffffu;

// The value of the lane whose number differs in `distance`; of any type, word by word.
template <class Value>
__device__ inline Value from_lane_across(const Value& value, int distance) {
  constexpr int kWords = static_cast<int>(sizeof(Value) / sizeof(unsigned));
  static_assert(sizeof(Value) == kWords * sizeof(unsigned));
  unsigned words[kWords];
  memcpy(words, &value, sizeof(Value));
#pragma unroll
  for (int w = 0; w < kWords; ++w)
    words[w] = __shfl_xor_sync(kAllLanes, words[w], distance);
  Value result;
  memcpy(&result, words, sizeof(Value));
  return result;
}

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
