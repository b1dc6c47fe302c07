#include <cblas.h>

#include "tests/bench/gemm_peak.h"

namespace dispersion::bench {

bool openblas_multiply(bool transpose_a, bool transpose_b, int m, int n, int k, const float* a,
                       const float* b, float* c) {
  openblas_set_num_threads(1);
  cblas_sgemm(CblasRowMajor, transpose_a ? CblasTrans : CblasNoTrans,
              transpose_b ? CblasTrans : CblasNoTrans, m, n, k, 1.0f, a, transpose_a ? m : k, b,
              transpose_b ? k : n, 0.0f, c, n);
  return true;
}

}  // namespace dispersion::bench
