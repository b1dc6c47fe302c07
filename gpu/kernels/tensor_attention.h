#pragma once

#include "gpu/kernels/attention_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// The passes of attention_scores.h, attention_pool.h and flash_attention.h in bf16 on tensor
// cores; logits, sums and all that is told about the rows are float. Compute capability 8.0.
void launch_tensor_scores(Stream& stream, const AttentionMemory<Bf16>& memory);
void launch_tensor_pool(Stream& stream, const AttentionMemory<Bf16>& memory);
void launch_tensor_flash(Stream& stream, const AttentionMemory<Bf16>& memory);

}  // namespace dispersion
