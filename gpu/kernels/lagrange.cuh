#pragma once

#include "gpu/kernels/group_memory.h"

namespace dispersion {

// Values of the Lagrange polynomials at x, as lagrange_row (core/spectral/chebyshev.h), in the same
// order of sums. basis: [nodes.count], a multiple of 4.
__device__ inline void lagrange_row(const NodeTable& nodes, double x, double* basis) {
  constexpr double kHit = 1e-30;
  double sums[4] = {0, 0, 0, 0};
  for (int k = 0; k < nodes.count; k += 4) {
#pragma unroll
    for (int l = 0; l < 4; ++l) {
      const double distance = x - static_cast<double>(nodes.point[k + l]);
      const double term = nodes.weight[k + l] / (distance == 0 ? kHit : distance);
      basis[k + l] = term;
      sums[l] += term;
    }
  }
  const double inverse = 1 / ((sums[0] + sums[1]) + (sums[2] + sums[3]));
  for (int k = 0; k < nodes.count; ++k)
    basis[k] *= inverse;
}

}  // namespace dispersion
