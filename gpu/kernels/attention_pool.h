#pragma once

#include "gpu/kernels/attention_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// Second pass of adaptive attention: out = softmax(beta e) V. The first pass gave beta and the
// largest logit of every row, so nothing has to be rescaled on the way.
void launch_attention_pool(Stream& stream, const AttentionMemory<float>& memory);

}  // namespace dispersion
