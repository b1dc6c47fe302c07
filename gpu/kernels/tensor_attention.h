#pragma once

#include "gpu/kernels/attention_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// The passes of attention_scores.h, attention_pool.h and flash_attention.h in bf16 on tensor
// cores; logits, sums and all that is told about the rows are float. Compute capability 8.0.
// Each throws std::runtime_error where this program holds no code of theirs for the calling
// thread's device.
void launch_tensor_scores(Stream& stream, const AttentionMemory<Bf16>& memory);
void launch_tensor_pool(Stream& stream, const AttentionMemory<Bf16>& memory);
void launch_tensor_flash(Stream& stream, const AttentionMemory<Bf16>& memory);

// Whether there is such code: what this program was compiled to counts, since a newer device also
// runs what was compiled for an older one, and below 8.0 these kernels are empty.
bool has_tensor_kernels();

}  // namespace dispersion
