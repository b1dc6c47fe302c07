#include "core/build_info.h"
#include "core/experiment/sequence_attender.h"
#include "gpu/cuda_attender.h"

namespace dispersion {

// Stands in for it in a program that was built without CUDA.
std::unique_ptr<SequenceAttender> make_cuda_attender(int /*device*/, DeviceUse /*use*/,
                                                     std::string& reason) {
  reason = build_info().cuda_absence;
  return nullptr;
}

}  // namespace dispersion
