#include "core/math/eigen_product.h"

namespace dispersion {
namespace {

[[maybe_unused]] const bool kBlockingFixed = fix_eigen_blocking();

}  // namespace

void multiply(Transpose transpose_a, Transpose transpose_b, int m, int n, int k, const double* a,
              const double* b, Into into, double* c) {
  eigen_multiply(transpose_a, transpose_b, m, n, k, a, b, into, c);
}

}  // namespace dispersion
