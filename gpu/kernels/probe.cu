#include <cuda_runtime.h>

#include "gpu/kernels/probe.h"

namespace dispersion {
namespace {

__global__ void probe_kernel() {}

}  // namespace

cudaError_t probe_code() {
  cudaFuncAttributes attributes;
  return cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&probe_kernel));
}

}  // namespace dispersion
