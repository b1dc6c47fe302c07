#include <cuda_runtime.h>

#include "gpu/kernels/probe.h"
#include "gpu/runtime/cuda_error.h"

namespace dispersion {
namespace {

__global__ void probe_kernel() {}

}  // namespace

cudaError_t probe_code() {
  cudaFuncAttributes attributes;
  return cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&probe_kernel));
}

bool can_launch_early() {
  constexpr int kOldestPtx = 90;
  constexpr int kOldestDriver = 12030;
  cudaFuncAttributes attributes;
  check(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&probe_kernel)),
        "cudaFuncGetAttributes");
  int driver = 0;
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  return attributes.ptxVersion >= kOldestPtx && driver >= kOldestDriver;
}

}  // namespace dispersion
