#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dispersion::bench {

// One library's best rate on the products of a training step, on one core.
struct GemmRate {
  std::string name;  // of the library
  double gflops = 0;
};

// Eigen, OpenBLAS (where installed) and the project's own choice, measured now, one after the other
// in turns so that a change of the processor's clock meets all of them. [336, 128] x [128, 128] in
// the three orientations that forward and backward need; the mean over the three.
std::vector<GemmRate> measure_gemm_rates();

// c = a b with OpenBLAS on one thread, all row-major and dense; false when it is not installed.
bool openblas_multiply(bool transpose_a, bool transpose_b, int m, int n, int k, const float* a,
                       const float* b, float* c);

}  // namespace dispersion::bench
