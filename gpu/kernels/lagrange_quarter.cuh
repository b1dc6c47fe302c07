#pragma once

#include <cuda_runtime.h>

#include "gpu/kernels/block.cuh"
#include "gpu/kernels/group_view.cuh"

namespace dispersion {

// Lagrange polynomials at a number, by four neighbouring lanes of a warp: the lane `quarter` has
// the nodes quarter, quarter + 4, ... Sums over the nodes are those of the CPU, which keeps four
// sums too (core/spectral/chebyshev.cpp, short_dot in fixed_count.h). Every lane of the warp must
// come along. Numbers of nodes are multiples of 4, at most kMost.
inline constexpr int kQuarters = 4;
template <int kMost>
struct LagrangeQuarter {
  double value[kMost / kQuarters];
};

// (0 + 1) + (2 + 3), in all four lanes.
__device__ inline double sum_of_quarters(double sum) {
  sum += __shfl_xor_sync(kAllLanes, sum, 1);
  return sum + __shfl_xor_sync(kAllLanes, sum, 2);
}

// As lagrange_row.
template <int kMost>
__device__ inline void lagrange_quarter(const NodeTable& nodes, int quarter, double x,
                                        LagrangeQuarter<kMost>& basis) {
  // All of the table is asked for before the first division.
  float point[kMost / kQuarters];
  double weight[kMost / kQuarters];
#pragma unroll
  for (int j = 0; j < kMost / kQuarters; ++j) {
    const bool used = j * kQuarters < nodes.count;
    point[j] = used ? nodes.point[j * kQuarters + quarter] : 0.0f;
    weight[j] = used ? nodes.weight[j * kQuarters + quarter] : 0.0;
  }
  double sum = 0;
#pragma unroll
  for (int j = 0; j < kMost / kQuarters; ++j) {
    basis.value[j] = 0;
    if (j * kQuarters < nodes.count) {
      const double distance = x - static_cast<double>(point[j]);
      basis.value[j] = barycentric_term(weight[j], distance);
      sum += basis.value[j];
    }
  }
  const double inverse = 1 / sum_of_quarters(sum);
#pragma unroll
  for (int j = 0; j < kMost / kQuarters; ++j)
    basis.value[j] *= inverse;
}

// To and from a row of memory, [count].
template <int kMost>
__device__ inline void store_quarter(const LagrangeQuarter<kMost>& basis, int count, int quarter,
                                     double* row) {
#pragma unroll
  for (int j = 0; j < kMost / kQuarters; ++j) {
    if (j * kQuarters < count) row[j * kQuarters + quarter] = basis.value[j];
  }
}

template <int kMost>
__device__ inline void load_quarter(const double* row, int count, int quarter,
                                    LagrangeQuarter<kMost>& basis) {
#pragma unroll
  for (int j = 0; j < kMost / kQuarters; ++j)
    basis.value[j] = j * kQuarters < count ? row[j * kQuarters + quarter] : 0.0;
}

// basis . values, values: [count].
template <int kMost, class Value>
__device__ inline double interpolate_quarter(const LagrangeQuarter<kMost>& basis,
                                             const Value* values, int count, int quarter) {
  double sum = 0;
#pragma unroll
  for (int j = 0; j < kMost / kQuarters; ++j) {
    if (j * kQuarters < count)
      sum = fma(basis.value[j], static_cast<double>(values[j * kQuarters + quarter]), sum);
  }
  return sum_of_quarters(sum);
}

}  // namespace dispersion
