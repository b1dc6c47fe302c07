#pragma once

#include <cuda_runtime_api.h>

#include <source_location>
#include <stdexcept>

namespace dispersion {

// A CUDA call that failed: which, where and why.
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const char* call, const std::source_location& place);
  cudaError_t code() const { return code_; }
  bool out_of_memory() const { return code_ == cudaErrorMemoryAllocation; }
  // Nothing more can be done on this device in this process: every later call fails as well.
  bool device_lost() const;

 private:
  cudaError_t code_;
};

// Throws CudaError unless the call succeeded. `call` names it, e.g. "cudaMalloc(256 bytes)".
void check(cudaError_t code, const char* call,
           const std::source_location& place = std::source_location::current());

}  // namespace dispersion
