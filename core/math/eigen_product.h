#pragma once

#include <Eigen/Core>

#include "core/math/product.h"

namespace dispersion {

// multiply() (core/math/product.h) by Eigen, for any scalar type.
template <class Scalar>
void eigen_multiply(Transpose transpose_a, Transpose transpose_b, int m, int n, int k,
                    const Scalar* a, const Scalar* b, Into into, Scalar* c) {
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using View = Eigen::Map<const Matrix>;
  const View a_view(a, transpose_a == Transpose::kYes ? k : m,
                    transpose_a == Transpose::kYes ? m : k);
  const View b_view(b, transpose_b == Transpose::kYes ? n : k,
                    transpose_b == Transpose::kYes ? k : n);
  Eigen::Map<Matrix> c_view(c, m, n);
  const auto store = [&](const auto& product) {
    if (into == Into::kAdd) {
      c_view.noalias() += product;
    } else {
      c_view.noalias() = product;
    }
  };
  if (transpose_a == Transpose::kYes && transpose_b == Transpose::kYes) {
    store(a_view.transpose() * b_view.transpose());
  } else if (transpose_a == Transpose::kYes) {
    store(a_view.transpose() * b_view);
  } else if (transpose_b == Transpose::kYes) {
    store(a_view * b_view.transpose());
  } else {
    store(a_view * b_view);
  }
}

// Sets the cache sizes that Eigen assumes, so that its blocking, and with it the order of its sums,
// does not depend on the processor. Has to be called before main(), because Eigen keeps the sizes
// in static memory without synchronisation.
inline bool fix_eigen_blocking() {
  Eigen::setCpuCacheSizes(32 * 1024, 512 * 1024, 4 * 1024 * 1024);
  return true;
}

}  // namespace dispersion
