#pragma once

#include <memory>
#include <string>

namespace dispersion {

class Backend;

// The backend on the CUDA device with this index, or null, with the reason in `reason`: one
// sentence fit for a status line.
std::unique_ptr<Backend> make_cuda_backend(int device, std::string& reason);

}  // namespace dispersion
