#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace dispersion {

// A CUDA device as the machine describes it.
struct DeviceInfo {
  int index = 0;
  std::string name;
  int major = 0;  // compute capability
  int minor = 0;
  std::size_t total_bytes = 0;
  int multiprocessors = 0;
  // The system ends kernels that keep the screen waiting.
  bool kernel_time_limit = false;
};

// The device with this index. Throws std::runtime_error with a sentence fit for a status line that
// says why it cannot be used: no driver, one too old, no device, no such index, or a device older
// than this program's kernels.
DeviceInfo usable_device(int index);

// Makes it the device of the calling thread. Throws CudaError.
void select_device(int index);

// Of the calling thread's device: the first number of its compute capability. Throws CudaError.
int current_device_major();

struct DeviceMemory {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
};
// Of the calling thread's device. Throws CudaError.
DeviceMemory device_memory();

// Throws std::runtime_error that gives the bytes needed and the bytes free unless they fit; `what`
// names what needs them.
void require_memory(std::size_t bytes, const std::string& what);

}  // namespace dispersion
