#pragma once

#include <Eigen/Core>

namespace dispersion {

// Plain row-major memory as matrices and vectors of Eigen. Only for .cpp files of core and headers
// that such files alone include, because Eigen's headers take long to compile.
template <class Scalar>
using MatrixView =
    Eigen::Map<Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
template <class Scalar>
using ConstMatrixView =
    Eigen::Map<const Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
template <class Scalar>
using VectorView = Eigen::Map<Eigen::Matrix<Scalar, Eigen::Dynamic, 1>>;
template <class Scalar>
using ConstVectorView = Eigen::Map<const Eigen::Matrix<Scalar, Eigen::Dynamic, 1>>;

}  // namespace dispersion
