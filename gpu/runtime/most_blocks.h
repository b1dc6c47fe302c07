#pragma once

#include "gpu/cuda_backend.h"

namespace dispersion {

// How many blocks a launch on the calling thread's device may have. Work in the background leaves
// half of the multiprocessors to the foreground: a block that has begun keeps its place until it
// ends, so that a training step of nine small kernels would wait nine times for blocks of the
// background to end. As the hardware gives every block a multiprocessor of its own while there are
// some, half as many blocks as multiprocessors leave the other half empty. Throws CudaError.
int most_blocks(DeviceUse use);

}  // namespace dispersion
