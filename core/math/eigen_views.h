#pragma once

#include <Eigen/Core>

namespace dispersion {

// Eigen's eyes on plain row-major memory. For .cpp files of core only.
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
