#pragma once

#include <cuda_runtime.h>

#ifndef __CUDACC__
#include "tensor_core.h"
#endif

namespace dispersion {

// Instructions that C++ has no words for, a function each; without CUDA, their twins in the
// emulation. They need compute capability 8.0; kernels for older devices must not call them.

// D += A B of bf16 by a warp, 16 x 8 x 16. Lane l = 4 g + t has of A, as pairs of neighbouring
// columns, a.x (row g, columns 2t), a.y (row g + 8), a.z (row g, columns 2t + 8), a.w (row g + 8);
// of B, as pairs of neighbouring rows, b.x (rows 2t, column g), b.y (rows 2t + 8); of D d0 (row g,
// column 2t), d1 (column 2t + 1), d2 and d3 (row g + 8).
__device__ inline void multiply_add(const uint4& a, const uint2& b, float& d0, float& d1, float& d2,
                                    float& d3) {
#ifdef __CUDACC__
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
      : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y));
#else
  emulation::multiply_add(a, b, d0, d1, d2, d3);
#endif
}

// Four 8 x 8 matrices of 16-bit numbers from shared memory; lane l names row l % 8 of matrix l / 8.
// Lane 4 g + t gets of every matrix row g, columns 2t and 2t + 1.
__device__ inline uint4 load_matrices(const uint4* row) {
#ifdef __CUDACC__
  uint4 to;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to.x), "=r"(to.y), "=r"(to.z), "=r"(to.w)
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row)))
               : "memory");
  return to;
#else
  return emulation::load_matrices(row, false);
#endif
}

// The same, transposed: lane 4 g + t gets rows 2t and 2t + 1 of column g.
__device__ inline uint4 load_matrices_transposed(const uint4* row) {
#ifdef __CUDACC__
  uint4 to;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to.x), "=r"(to.y), "=r"(to.z), "=r"(to.w)
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row)))
               : "memory");
  return to;
#else
  return emulation::load_matrices(row, true);
#endif
}

// Whether the device that is compiled for has them.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
inline constexpr bool kHasAsyncCopies = true;
#else
inline constexpr bool kHasAsyncCopies = false;
#endif

// Begins to copy 16 bytes to shared memory, or zeros when `there` is false.
__device__ inline void begin_copy(const uint4* from, bool there, uint4* to) {
#ifdef __CUDACC__
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from), "r"(there ? 16 : 0)
               : "memory");
#else
  emulation::begin_copy(from, there, to);
#endif
}

// Ends a batch of copies.
__device__ inline void end_batch() {
#ifdef __CUDACC__
  asm volatile("cp.async.commit_group;" ::: "memory");
#else
  emulation::end_batch();
#endif
}

// Waits for the thread's own copies but those of the last kBatches batches.
template <int kBatches>
__device__ inline void wait_for_batches() {
#ifdef __CUDACC__
  asm volatile("cp.async.wait_group %0;" ::"n"(kBatches) : "memory");
#else
  emulation::wait_for_batches(kBatches);
#endif
}

// 2^x, to 2 units in the last place; 1 for 0, and 0 where 2^x is not a normal number.
__device__ inline float fast_exp2(float x) {
#ifdef __CUDACC__
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return exp2f(x);
#endif
}

// Two numbers as bf16, rounded to nearest, ties to even; `low` in the lower half.
__device__ inline unsigned pack_bf16(float low, float high) {
#ifdef __CUDACC__
  unsigned result;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(result) : "f"(high), "f"(low));
  return result;
#else
  return emulation::pack_bf16(low, high);
#endif
}

}  // namespace dispersion
