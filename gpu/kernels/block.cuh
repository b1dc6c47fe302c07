#pragma once

#include <cuda_runtime.h>

#include "gpu/kernels/group_memory.h"

namespace dispersion {

inline constexpr int kWarp = 32;
inline constexpr unsigned kAllLanes = 0xffffffffu;

// Channels of a row that a lane has where a warp has all of them.
inline constexpr int kLaneChannels = kWidth / kWarp;
static_assert(kLaneChannels == 4, "a lane reads its channels at once");

__device__ inline int warp_of_thread() {
  return static_cast<int>(threadIdx.x / kWarp);
}

__device__ inline int lane_of_thread() {
  return static_cast<int>(threadIdx.x % kWarp);
}

__device__ inline void add_scaled(float factor, const float4& row, float4& sum) {
  sum.x = fmaf(factor, row.x, sum.x);
  sum.y = fmaf(factor, row.y, sum.y);
  sum.z = fmaf(factor, row.z, sum.z);
  sum.w = fmaf(factor, row.w, sum.w);
}

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

// The block's dynamic shared memory, aligned to 16 bytes.
template <class T>
__device__ inline T* dynamic_shared() {
#ifdef __CUDACC__
  extern __shared__ uint4 dispersion_dynamic_shared[];
  return reinterpret_cast<T*>(dispersion_dynamic_shared);
#else
  return static_cast<T*>(emulation::dynamic_shared());
#endif
}

// Combines a value of every thread of a block of so many warps with `join`, which must not care for
// the order of its arguments' places: lanes as a tree, then warps in order. Every thread gets the
// result. shared: one value per warp.
template <class Value, class Join>
__device__ Value block_join(Value value, Value* shared, int warps, Join join) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    value = join(value, from_lane_across(value, distance));
  __syncthreads();
  if (lane_of_thread() == 0) shared[warp_of_thread()] = value;
  __syncthreads();
  value = shared[0];
  for (int w = 1; w < warps; ++w)
    value = join(value, shared[w]);
  return value;
}

template <class Scalar>
__device__ Scalar block_sum(Scalar value, Scalar* shared, int warps) {
  return block_join(value, shared, warps, [](Scalar a, Scalar b) { return a + b; });
}

}  // namespace dispersion
