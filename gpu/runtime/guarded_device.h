#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "core/backend.h"
#include "gpu/runtime/cuda_error.h"
#include "gpu/runtime/device.h"

namespace dispersion {

// A device whose errors are told in words for whoever sits before the screen, and which is not
// asked again once it is lost.
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
