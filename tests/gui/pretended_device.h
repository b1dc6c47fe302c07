#pragma once

#include <atomic>
#include <memory>

#include "app/session/backend_source.h"

namespace dispersion {

// A CUDA device that there is not: the processor computes under its name, until it is lost.
struct PretendedDevice {
  std::atomic<bool> lost{false};
};

// The processor and this device, number 0, which automatic takes. Any other is refused.
BackendSource with_device(std::shared_ptr<PretendedDevice> device);

}  // namespace dispersion
