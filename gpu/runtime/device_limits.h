#pragma once

#include <cstddef>

#include "gpu/cuda_backend.h"

namespace dispersion {

// What a device has for its blocks.
struct DeviceLimits {
  std::size_t block_shared_bytes = 0;  // that a block may have if it asks
  int multiprocessors = 0;
};

// Of the calling thread's device. Throws CudaError.
DeviceLimits device_limits();

// How many blocks a launch may have. Work in the background leaves half of the multiprocessors to
// the foreground: a block that has begun keeps its place until it ends, so that a training step of
// nine small kernels would wait nine times for blocks of the background to end. As the hardware
// gives every block a multiprocessor of its own while there are some, half as many blocks as
// multiprocessors leave the other half empty.
int most_blocks(DeviceUse use, const DeviceLimits& limits);

}  // namespace dispersion
