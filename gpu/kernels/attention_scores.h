#pragma once

#include "gpu/kernels/attention_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// First pass of adaptive attention: largest logit, log-sum-exp, entropy and beta of every row.
void launch_attention_scores(Stream& stream, const AttentionMemory<float>& memory);

}  // namespace dispersion
