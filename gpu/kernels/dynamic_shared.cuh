#pragma once

#include <cuda_runtime.h>

namespace dispersion {

// The block's dynamic shared memory, aligned to 16 bytes.
template <class T>
__device__ inline T* dynamic_shared() {
#ifdef __CUDACC__
  extern __shared__ uint4 dispersion_dynamic_shared[];
  return reinterpret_cast<T*>(dispersion_dynamic_shared);
#else
  return static_cast<T*>(emulation::dynamic_shared());
#endif
}

}  // namespace dispersion
