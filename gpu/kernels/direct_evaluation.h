#pragma once

#include "gpu/kernels/evaluation_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// An evaluation on the direct path: every item through its network, in both passes. Between them
// comes launch_merge_scores.
void launch_direct_scores(Stream& stream, const EvaluationHead& head,
                          const EvaluationMemory& memory);
void launch_direct_pool(Stream& stream, const EvaluationHead& head, const EvaluationMemory& memory);

}  // namespace dispersion
