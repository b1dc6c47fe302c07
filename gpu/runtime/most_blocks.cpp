#include "gpu/runtime/most_blocks.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <limits>

#include "gpu/runtime/cuda_error.h"

namespace dispersion {

int most_blocks(DeviceUse use) {
  if (use == DeviceUse::kForeground) return std::numeric_limits<int>::max();
  int device = 0;
  int multiprocessors = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "cudaDeviceGetAttribute");
  return std::max(1, multiprocessors / 2);
}

}  // namespace dispersion
