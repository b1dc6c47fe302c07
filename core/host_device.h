#pragma once

// The only macro of the project: marks functions that the CPU and CUDA code share.
#ifdef __CUDACC__
#define DISPERSION_HOST_DEVICE __host__ __device__
#else
#define DISPERSION_HOST_DEVICE
#endif
