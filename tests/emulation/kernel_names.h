#pragma once

#include <string>

namespace emulation {

// Of a block, on any device that the lab runs on.
inline constexpr unsigned kMostThreads = 1024;

// "tensor_scores_kernel<64>": a kernel's name with its template arguments, without namespaces and
// parameters; from the symbols of this program. Empty where they are stripped.
const std::string& kernel_name(const void* kernel);

// What the compiler for the device says of a kernel, for the compute capability.
struct KernelResources {
  int registers = 0;                     // of a thread
  int shared_bytes = 0;                  // static
  unsigned most_threads = kMostThreads;  // of a block, by __launch_bounds__
};
// As they are above for kernels that are not part of the lab, which tests have.
KernelResources kernel_resources(const std::string& name, int capability);

}  // namespace emulation
