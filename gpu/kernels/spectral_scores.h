#pragma once

#include "gpu/kernels/evaluation_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// First pass of an evaluation on the spectral path: draws or reads the items of every chunk,
// computes their logits from tables in shared memory, and sums them up.
void launch_spectral_scores(Stream& stream, const EvaluationHead& head,
                            const EvaluationMemory& memory);

}  // namespace dispersion
