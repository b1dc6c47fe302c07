#pragma once

#include <cuda_runtime.h>

#ifndef __CUDACC__
#include "early_launch.h"
#endif

namespace dispersion {

// For kernels that are launched early (LaunchShape::early): they may begin while the kernel before
// still runs, and call this before they read what that one writes or write what it reads or writes.
// From here on the next kernel may begin likewise. So what a kernel reads or writes before must be
// done with by the last kernel but one, and by all earlier ones.
__device__ inline void wait_for_kernel_before() {
#ifndef __CUDACC__
  emulation::wait_for_kernel_before();
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

}  // namespace dispersion
