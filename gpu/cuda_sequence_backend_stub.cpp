#include "core/build_info.h"
#include "core/experiment/sequence_backend.h"
#include "gpu/cuda_sequence_backend.h"

namespace dispersion {

// Stands in for it in a program that was built without CUDA.
std::unique_ptr<SequenceBackend> make_cuda_sequence_backend(int /*device*/, DeviceUse /*use*/,
                                                            std::string& reason) {
  reason = build_info().cuda_absence;
  return nullptr;
}

}  // namespace dispersion
