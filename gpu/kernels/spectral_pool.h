#pragma once

#include "gpu/kernels/evaluation_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// Second pass of an evaluation on the spectral path: the pooled embedding of every set under every
// transform. memory.moments must be 0.
void launch_spectral_pool(Stream& stream, const EvaluationHead& head,
                          const EvaluationMemory& memory);

}  // namespace dispersion
