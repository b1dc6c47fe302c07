#pragma once

#include <memory>
#include <string>
#include <vector>

namespace dispersion {

class Backend;

// The backend on the CUDA device with this index, or null, with the reason in `reason`: one
// sentence fit for a status line.
std::unique_ptr<Backend> make_cuda_backend(int device, std::string& reason);

// Names of the CUDA devices of this machine, in the order of their indices, also of those that
// cannot be used; none where there is no driver.
std::vector<std::string> cuda_device_names();

}  // namespace dispersion
