#pragma once

#include <string>

namespace emulation {

// "tensor_scores_kernel<64>": a kernel's name with its template arguments, without namespaces and
// parameters; from the symbols of this program. Empty where they are stripped.
const std::string& kernel_name(const void* kernel);

// What the compiler for the device says of a kernel, for the compute capability.
struct KernelResources {
  int registers = 0;     // of a thread
  int shared_bytes = 0;  // static
};
// All 0 for kernels that are not part of the lab, which tests have.
KernelResources kernel_resources(const std::string& name, int capability);

}  // namespace emulation
