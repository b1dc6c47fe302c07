#pragma once

#include "gpu/kernels/group_memory.h"
#include "gpu/kernels/warp.cuh"

namespace dispersion {

// Combines a value of every thread of a block of kWidth threads with `join`, which must not care
// for the order of its arguments' places: lanes as a tree, then warps in order. Every thread gets
// the result. shared: one value per warp.
template <class Value, class Join>
__device__ Value block_join(Value value, Value* shared, Join join) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    value = join(value, from_lane_across(value, distance));
  __syncthreads();
  if (threadIdx.x % kWarp == 0) shared[threadIdx.x / kWarp] = value;
  __syncthreads();
  value = shared[0];
  for (int w = 1; w < kWidth / kWarp; ++w)
    value = join(value, shared[w]);
  return value;
}

template <class Scalar>
__device__ Scalar block_sum(Scalar value, Scalar* shared) {
  return block_join(value, shared, [](Scalar a, Scalar b) { return a + b; });
}

template <class Scalar>
__device__ Scalar block_largest(Scalar value, Scalar* shared) {
  return block_join(value, shared, [](Scalar a, Scalar b) { return a > b ? a : b; });
}

}  // namespace dispersion
