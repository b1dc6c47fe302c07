#pragma once

#include <memory>
#include <string>

#include "gpu/device_use.h"

namespace dispersion {

class SequenceBackend;

// Attends over sequences on the CUDA device with this index, by
// gpu/attention/streaming_attention.h. Null, with the reason in `reason`, where that cannot be
// used: one sentence fit for a status line.
std::unique_ptr<SequenceBackend> make_cuda_sequence_backend(int device, DeviceUse use,
                                                            std::string& reason);

}  // namespace dispersion
