#pragma once

#include <atomic>
#include <memory>

#include "app/session/backend_source.h"

namespace dispersion {

// A fake CUDA device, for which the CPU computes. While `lost` is set, every call throws
// DeviceLost.
struct PretendedDevice {
  std::atomic<bool> lost{false};
};

// Offers the CPU and this device as number 0, which "automatic" selects. Any other device is
// refused.
BackendSource with_device(std::shared_ptr<PretendedDevice> device);

}  // namespace dispersion
