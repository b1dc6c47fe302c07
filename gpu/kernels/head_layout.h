#pragma once

#include <cstddef>

#include "core/head/parameters.h"
#include "core/host_device.h"

namespace dispersion {

// The kernels are compiled for the paper's head: their threads are its channels.
inline constexpr int kWidth = 128;
inline constexpr int kHeadClasses = 10;
inline constexpr HeadShape kHeadShape = {kWidth, kHeadClasses};

// parameter_layout(kHeadShape) at compile time (a test compares them).
DISPERSION_HOST_DEVICE constexpr int tensor_rows(TensorId id) {
  if (id == TensorId::kItem0Kernel) return 1 + kHeadClasses;
  if (id == TensorId::kQuery0Kernel) return 1;
  return static_cast<int>(id) % 2 == 0 ? kWidth : 1;
}

DISPERSION_HOST_DEVICE constexpr int tensor_columns(TensorId id) {
  return id >= TensorId::kReadout1Kernel ? kHeadClasses : kWidth;
}

DISPERSION_HOST_DEVICE constexpr int tensor_size(TensorId id) {
  return tensor_rows(id) * tensor_columns(id);
}

DISPERSION_HOST_DEVICE constexpr int tensor_offset(TensorId id) {
  int offset = 0;
  for (int i = 0; i < static_cast<int>(id); ++i)
    offset += tensor_size(static_cast<TensorId>(i));
  return offset;
}

inline constexpr int kParameters =
    tensor_offset(TensorId::kReadout1Bias) + tensor_size(TensorId::kReadout1Bias);

// The square kernels, which are also kept transposed: the way back through a layer reads them by
// columns. In this order.
inline constexpr int kSquareKernels = 7;
DISPERSION_HOST_DEVICE constexpr int square_kernel(TensorId id) {
  switch (id) {
    case TensorId::kItem1Kernel:
      return 0;
    case TensorId::kQuery1Kernel:
      return 1;
    case TensorId::kQueryKernel:
      return 2;
    case TensorId::kKeyKernel:
      return 3;
    case TensorId::kValueKernel:
      return 4;
    case TensorId::kOutKernel:
      return 5;
    case TensorId::kReadout0Kernel:
      return 6;
    default:
      return -1;
  }
}

}  // namespace dispersion
