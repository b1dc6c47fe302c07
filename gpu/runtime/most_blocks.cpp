#include "gpu/runtime/most_blocks.h"

#include <cuda_runtime_api.h>

#include <algorithm>

#include "gpu/runtime/cuda_error.h"

namespace dispersion {

int most_blocks(DeviceUse use, double background_share) {
  if (use == DeviceUse::kForeground) return kAnyBlocks;
  int device = 0;
  int multiprocessors = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "cudaDeviceGetAttribute");
  return std::max(1, static_cast<int>(background_share * multiprocessors));
}

}  // namespace dispersion
