#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/device_use.h"

namespace dispersion {

class Backend;

// The backend on the CUDA device with this index, or null, with the reason in `reason`: one
// sentence fit for a status line. In the background it takes one thread of the processor for what
// the device does not do.
std::unique_ptr<Backend> make_cuda_backend(int device, DeviceUse use, std::string& reason);

// Names of the CUDA devices of this machine, in the order of their indices, also of those that
// cannot be used; none where there is no driver.
std::vector<std::string> cuda_device_names();

}  // namespace dispersion
