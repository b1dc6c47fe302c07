#pragma once

#include <memory>
#include <string>

namespace dispersion {

class SequenceAttender;

// Attends over sequences on the CUDA device with this index, by
// gpu/attention/streaming_attention.h. Null, with the reason in `reason`, where that cannot be
// used: one sentence fit for a status line.
std::unique_ptr<SequenceAttender> make_cuda_attender(int device, std::string& reason);

}  // namespace dispersion
