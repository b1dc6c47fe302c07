#pragma once

#include <cuda_runtime_api.h>

namespace dispersion {

// Asks for a kernel of this program on the calling thread's device, without launching it:
// cudaErrorNoKernelImageForDevice or cudaErrorInvalidDeviceFunction where there is no code for the
// device. All kernels are compiled for the same ones.
cudaError_t probe_code();

// Whether the calling thread's device may begin a kernel before the one before ends
// (LaunchShape::early): wait_for_kernel_before() waits in code for 9.0 and newer alone, and drivers
// before 12.3 do not record such launches.
bool can_launch_early();

}  // namespace dispersion
