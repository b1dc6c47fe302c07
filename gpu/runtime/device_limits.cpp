#include "gpu/runtime/device_limits.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <limits>

#include "gpu/runtime/cuda_error.h"

namespace dispersion {
namespace {

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

}  // namespace

DeviceLimits device_limits() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  return {static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device)),
          attribute(cudaDevAttrMultiProcessorCount, device)};
}

int most_blocks(DeviceUse use, const DeviceLimits& limits) {
  if (use == DeviceUse::kForeground) return std::numeric_limits<int>::max();
  return std::max(1, limits.multiprocessors / 2);
}

}  // namespace dispersion
