#include "gpu/kernels/launch_tiles.h"

#include <stdexcept>
#include <string>

namespace dispersion {

void require_shared_memory(std::size_t bytes, int channels) {
  int device = 0;
  int most = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "cudaDeviceGetAttribute");
  if (bytes <= static_cast<std::size_t>(most)) return;
  throw std::runtime_error("streaming attention: d = " + std::to_string(channels) + " needs " +
                           std::to_string(bytes) + " bytes of shared memory; the device has " +
                           std::to_string(most));
}

}  // namespace dispersion
