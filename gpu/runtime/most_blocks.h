#pragma once

#include <limits>

#include "gpu/cuda_backend.h"

namespace dispersion {

// A launch may have as many blocks as its work.
inline constexpr int kAnyBlocks = std::numeric_limits<int>::max();

// How many blocks a launch of long blocks on the calling thread's device may have. Work in the
// background takes only a share of the multiprocessors and leaves the others to the foreground: a
// block that has begun keeps its place until it ends, so that a training step of seven small
// kernels would wait seven times for blocks of the background to end. As the hardware gives every
// block a multiprocessor of its own while there are some, so many blocks leave the rest empty.
// Kernels whose blocks end within microseconds need no limit: a stream of higher priority comes
// first as soon as one ends. Throws CudaError.
int most_blocks(DeviceUse use, double background_share);

}  // namespace dispersion
