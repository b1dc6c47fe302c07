#include "core/backend.h"
#include "core/build_info.h"
#include "core/experiment/sequence_backend.h"
#include "gpu/cuda_backend.h"

namespace dispersion {

// Stands in for the CUDA backend in a program that was built without it.
std::unique_ptr<Backend> make_cuda_backend(int /*device*/, DeviceUse /*use*/, std::string& reason) {
  reason = build_info().cuda_absence;
  return nullptr;
}

CudaFacts cuda_facts() {
  return {};
}

std::vector<std::string> cuda_device_names() {
  return {};
}

// Stands in for it in a program that was built without CUDA.
std::unique_ptr<SequenceBackend> make_cuda_sequence_backend(int /*device*/, DeviceUse /*use*/,
                                                            std::string& reason) {
  reason = build_info().cuda_absence;
  return nullptr;
}

}  // namespace dispersion
