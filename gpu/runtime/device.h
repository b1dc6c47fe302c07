#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/backend.h"
#include "gpu/cuda_backend.h"
#include "gpu/runtime/cuda_error.h"

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

// As far as it can be known; does not throw.
CudaFacts device_facts();

// Makes it the device of the calling thread. Throws CudaError.
void select_device(int index);

// Makes it the device of the calling thread and sees that it can be used: that it was not lost
// before, and that this program has code for it, else throws std::runtime_error with a sentence fit
// for a status line. Throws CudaError.
void open_device(const DeviceInfo& device);

// Of the calling thread's device. Throws CudaError.
DeviceMemory device_memory();

// Shared memory that a block can have on the calling thread's device, in bytes. Throws CudaError.
std::size_t most_shared_memory();

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

// A device whose errors become sentences for the user, and which is not used again once it is lost.
class GuardedDevice {
 public:
  explicit GuardedDevice(DeviceInfo info) : info_(std::move(info)) {}

  const DeviceInfo& info() const { return info_; }
  std::string name() const { return "CUDA device " + std::to_string(info_.index); }
  // "CUDA device 0, NVIDIA H100"
  std::string description() const { return name() + ", " + info_.name; }

  // Does the work with the device as that of the calling thread. Throws DeviceLost, then and ever
  // after; std::runtime_error where its memory is used up; and whatever else the work throws.
  template <class Work>
  std::invoke_result_t<Work> run(Work work) const {
    if (!loss_.empty()) throw DeviceLost(loss_);
    try {
      select_device(info_.index);
      return work();
    } catch (const CudaError& error) {
      if (error.device_lost()) throw DeviceLost(loss_ = name() + " was lost: " + error.reason());
      if (error.out_of_memory()) {
        throw std::runtime_error(name() +
                                 " has no memory left for this; other programs may hold it");
      }
      throw;
    }
  }

 private:
  DeviceInfo info_;
  mutable std::string loss_;  // what was said when the device was lost; empty: it is there
};

}  // namespace dispersion
