#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include "gpu/kernels/block.cuh"

namespace dispersion {

// y = x w for a few rows x and a matrix w [kWidth, kWidth], by a block of kProductThreads threads.
//
// The matrix comes through registers: a warp holds kPartInputs rows of it, a lane kLaneChannels
// neighbouring columns. So all of its 64 KB are in flight at once, without shared memory or a
// barrier, and can be asked for before x is there:
//
//   fetch_part(first, part);
//   ... x of the first layer to shared.x ...
//   multiply_part(shared, part, behind);  // barrier; the warp's share of the sums. behind() asks
//                                         // for rows of the second matrix as there is place
//   join_parts(shared, y);                // barrier; the warps' shares added in their order
//   ... y to shared.x ...
//
// A row of y depends on nothing but its row of x and w.
inline constexpr int kProductThreads = 256;
inline constexpr int kProductParts = kProductThreads / kWarp;
inline constexpr int kPartInputs = kWidth / kProductParts;
static_assert(kPartInputs % 4 == 0);

// From one row of x to the next. Not a multiple of the banks, so that columns can be written.
inline constexpr int kProductStride = kWidth + 4;

// What a thread holds of a matrix.
struct MatrixPart {
  float4 row[kPartInputs];
};

template <int kRows>
struct ProductShared {
  alignas(16) float x[kRows * kProductStride];
  alignas(16) float parts[kProductParts * kRows * kWidth];
};

// A thread's share of the sums: kLaneChannels columns of every row.
template <int kRows>
using PartSums = float4[kRows];

// After the join a thread has one column of every second row: product_channel() of product_row(j).
template <int kRows>
inline constexpr int kThreadRows = kRows* kWidth / kProductThreads;
template <int kRows>
using RowSums = float[kThreadRows<kRows>];

__device__ inline int product_channel() {
  return static_cast<int>(threadIdx.x) % kWidth;
}

__device__ inline int product_row(int j) {
  return static_cast<int>(threadIdx.x) / kWidth + j * (kProductThreads / kWidth);
}

// Rows `first` .. last - 1 of the thread's part of a matrix, aligned to 16 bytes.
__device__ inline void fetch_rows(const float* matrix, int first, int last, MatrixPart& part) {
  const int warp = warp_of_thread();
  const int lane = lane_of_thread();
  const float* from = matrix + warp * kPartInputs * kWidth + lane * 4;
#pragma unroll
  for (int i = 0; i < kPartInputs; ++i) {
    if (first <= i && i < last) part.row[i] = *reinterpret_cast<const float4*>(from + i * kWidth);
  }
}

// The thread's part of a matrix, of which `count` rows are there; the rest is 0. The loads are only
// asked for.
__device__ inline void fetch_part(const float* matrix, MatrixPart& part, int count = kWidth) {
  const int warp = warp_of_thread();
  const int lane = lane_of_thread();
#pragma unroll
  for (int i = 0; i < kPartInputs; ++i) {
    const int row = warp * kPartInputs + i;
    part.row[i] = row < count ? *reinterpret_cast<const float4*>(matrix + row * kWidth + lane * 4)
                              : float4{0, 0, 0, 0};
  }
}

// Adds the warp's inputs, ascending. x: rows of kProductStride in shared memory. behind(i): rows
// i .. i + 3 of the part are needed no more.
template <int kRows, class Behind>
__device__ inline void add_part(const float* x, const MatrixPart& part, PartSums<kRows>& sums,
                                Behind behind) {
  const float* inputs = x + warp_of_thread() * kPartInputs;
#pragma unroll
  for (int i = 0; i < kPartInputs; i += 4) {
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const float4 four = *reinterpret_cast<const float4*>(inputs + r * kProductStride + i);
      add_scaled(four.x, part.row[i + 0], sums[r]);
      add_scaled(four.y, part.row[i + 1], sums[r]);
      add_scaled(four.z, part.row[i + 2], sums[r]);
      add_scaled(four.w, part.row[i + 3], sums[r]);
    }
    behind(i);
  }
}

template <int kRows>
__device__ inline void add_part(const float* x, const MatrixPart& part, PartSums<kRows>& sums) {
  add_part<kRows>(x, part, sums, [](int) {});
}

template <int kRows>
__device__ inline void store_part(const PartSums<kRows>& sums, ProductShared<kRows>& shared) {
  const int warp = warp_of_thread();
  const int lane = lane_of_thread();
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    *reinterpret_cast<float4*>(shared.parts + (warp * kRows + r) * kWidth + lane * 4) = sums[r];
  }
}

// After a barrier, the share of the calling warp in the product with shared.x; behind as add_part.
template <int kRows, class Behind>
__device__ inline void multiply_part(ProductShared<kRows>& shared, const MatrixPart& part,
                                     Behind behind) {
  PartSums<kRows> sums = {};
  __syncthreads();
  add_part<kRows>(shared.x, part, sums, behind);
  store_part<kRows>(sums, shared);
}

template <int kRows>
__device__ inline void multiply_part(ProductShared<kRows>& shared, const MatrixPart& part) {
  multiply_part(shared, part, [](int) {});
}

// After a barrier, the sums of all warps. shared.x may be written from here on.
template <int kRows>
__device__ inline void join_parts(const ProductShared<kRows>& shared, RowSums<kRows>& y) {
  __syncthreads();
#pragma unroll
  for (int j = 0; j < kThreadRows<kRows>; ++j) {
    const float* at = shared.parts + product_row(j) * kWidth + product_channel();
    y[j] = at[0];
#pragma unroll
    for (int p = 1; p < kProductParts; ++p)
      y[j] += at[p * kRows * kWidth];
  }
}

template <int kRows>
__device__ inline void store_rows_shared(const RowSums<kRows>& from, ProductShared<kRows>& shared) {
#pragma unroll
  for (int j = 0; j < kThreadRows<kRows>; ++j)
    shared.x[product_row(j) * kProductStride + product_channel()] = from[j];
}

// A layer whose matrix is in `part` already: y = x w + bias in place of x. The next layer's matrix,
// unless nullptr, is asked for meanwhile.
template <int kRows, class Next>
__device__ inline void dense_layer(ProductShared<kRows>& shared, MatrixPart& part, Next next,
                                   float bias, RowSums<kRows>& rows) {
  store_rows_shared<kRows>(rows, shared);
  if constexpr (std::is_null_pointer_v<Next>) {
    multiply_part(shared, part);
  } else {
    multiply_part(shared, part, [&](int i) { fetch_rows(next, i, i + 4, part); });
  }
  join_parts(shared, rows);
#pragma unroll
  for (int j = 0; j < kThreadRows<kRows>; ++j)
    rows[j] += bias;
}

// x[r, k] = from[k * stride + r] for kRows neighbouring columns of `count` rows, each aligned to 16
// bytes; 0 for the rows after.
template <int kRows>
__device__ inline void store_columns(const float* from, int stride, int count, float* x) {
  constexpr int kFours = kRows / 4;
  static_assert(kRows % 4 == 0 && kFours * kWidth % kProductThreads == 0);
#pragma unroll
  for (int i = 0; i < kFours * kWidth / kProductThreads; ++i) {
    const int t = i * kProductThreads + static_cast<int>(threadIdx.x);
    const int k = t / kFours;
    const int r = t % kFours * 4;
    const float4 four =
        k < count ? *reinterpret_cast<const float4*>(from + k * stride + r) : float4{0, 0, 0, 0};
    x[(r + 0) * kProductStride + k] = four.x;
    x[(r + 1) * kProductStride + k] = four.y;
    x[(r + 2) * kProductStride + k] = four.z;
    x[(r + 3) * kProductStride + k] = four.w;
  }
}

// Between a thread's rows and [rows, kWidth] in global memory; rows from `count` on are left out
// and read as 0.
template <int kRows>
__device__ inline void store_rows(const RowSums<kRows>& from, int count, float* to) {
#pragma unroll
  for (int j = 0; j < kThreadRows<kRows>; ++j) {
    if (product_row(j) < count) to[product_row(j) * kWidth + product_channel()] = from[j];
  }
}

template <int kRows>
__device__ inline void load_rows(const float* from, int count, RowSums<kRows>& to) {
#pragma unroll
  for (int j = 0; j < kThreadRows<kRows>; ++j) {
    to[j] = product_row(j) < count ? from[product_row(j) * kWidth + product_channel()] : 0.0f;
  }
}

}  // namespace dispersion
