#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace dispersion {

// A CUDA call that failed: which, where and why.
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const char* call, const char* file, int line);
  cudaError_t code() const { return code_; }
  const std::string& reason() const { return reason_; }  // why alone, in CUDA's words
  bool out_of_memory() const { return code_ == cudaErrorMemoryAllocation; }
  // Nothing more can be done on this device in this process: every later call fails as well.
  bool device_lost() const;

 private:
  cudaError_t code_;
  std::string reason_;
};

// Throws CudaError unless the call succeeded. `call` names it, e.g. "cudaMalloc(256 bytes)".
// File and line are those of the caller.
void check(cudaError_t code, const char* call, const char* file = __builtin_FILE(),
           int line = __builtin_LINE());

}  // namespace dispersion
