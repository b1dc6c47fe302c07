#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/backend.h"

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

// Of all devices, in the order of their indices; none where there is no driver.
std::vector<std::string> device_names();

// Makes it the device of the calling thread. Throws CudaError.
void select_device(int index);

// Of the calling thread's device. Throws CudaError.
DeviceMemory device_memory();

// How many bytes may be asked for: what is free, less what is left to the driver and others. Throws
// CudaError.
std::size_t available_memory();

// The largest n from 1 to `most` whose bytes(n), which grows with n, are at most `available`; 0:
// none.
std::int64_t largest_that_fits(std::int64_t most, std::size_t available,
                               const std::function<std::size_t(std::int64_t)>& bytes);

// Something that needs device memory, which grows with n.
struct MemoryNeed {
  std::string what;  // "Training 40 heads"
  std::string unit;  // what n counts: "heads", "items a set"
  std::int64_t n = 1;
  std::function<std::size_t(std::int64_t)> bytes;
};

// To be asked before anything is allocated. Throws std::runtime_error that gives the bytes needed,
// the bytes free and the largest n that fits, unless it fits.
void require_memory(const MemoryNeed& need);

}  // namespace dispersion
