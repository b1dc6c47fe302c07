#pragma once

#include <cuda_runtime_api.h>

namespace dispersion {

// Asks for a kernel of this program on the calling thread's device, without launching it:
// cudaErrorNoKernelImageForDevice or cudaErrorInvalidDeviceFunction where there is no code for the
// device. All kernels are compiled for the same ones.
cudaError_t probe_code();

}  // namespace dispersion
