#pragma once

#include "gpu/kernels/attention_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// Plain attention in one pass, with all that the first pass of adaptive attention tells about the
// rows: out = softmax(e) V.
void launch_flash_attention(Stream& stream, const AttentionMemory<float>& memory);

}  // namespace dispersion
