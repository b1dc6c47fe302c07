#pragma once

#include "gpu/kernels/evaluation_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// Between the passes of an evaluation: merges the chunks of every set, which gives the largest
// logit, the entropies and from them the adaptive beta.
void launch_merge_scores(Stream& stream, const EvaluationHead& head,
                         const EvaluationMemory& memory);

}  // namespace dispersion
