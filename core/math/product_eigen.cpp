// Products of floats by Eigen, for machines without oneDNN.

#include <string>

#include "core/build_info.h"
#include "core/math/eigen_product.h"

namespace dispersion {
namespace {

[[maybe_unused]] const bool kBlockingFixed = fix_eigen_blocking();

const std::string kLibrary = "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." +
                             std::to_string(EIGEN_MAJOR_VERSION) + "." +
                             std::to_string(EIGEN_MINOR_VERSION);

}  // namespace

void multiply(Transpose transpose_a, Transpose transpose_b, int m, int n, int k, const float* a,
              const float* b, Into into, float* c) {
  eigen_multiply(transpose_a, transpose_b, m, n, k, a, b, into, c);
}

std::string_view product_library() {
  return kLibrary;
}

std::string_view product_instruction_set() {
  return build_info().instruction_set;
}

}  // namespace dispersion
