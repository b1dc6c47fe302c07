#pragma once

#include "gpu/kernels/attention_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// First pass of adaptive attention: largest logit, log-sum-exp, entropy and beta of every row.
void launch_attention_scores(Stream& stream, const AttentionMemory<float>& memory);

// Second pass of adaptive attention: out = softmax(beta e) V. The first pass gave beta and the
// largest logit of every row, so nothing has to be rescaled on the way.
void launch_attention_pool(Stream& stream, const AttentionMemory<float>& memory);

// Plain attention in one pass, with everything that the first pass of adaptive attention stores
// about the rows: out = softmax(e) V.
void launch_flash_attention(Stream& stream, const AttentionMemory<float>& memory);

// The same three passes in bf16 on tensor cores; logits, sums and what is stored about the rows are
// float. They need compute capability 8.0. Each throws std::runtime_error where this program holds
// no code of theirs for the calling thread's device.
void launch_tensor_scores(Stream& stream, const AttentionMemory<Bf16>& memory);
void launch_tensor_pool(Stream& stream, const AttentionMemory<Bf16>& memory);
void launch_tensor_flash(Stream& stream, const AttentionMemory<Bf16>& memory);

// Whether this program holds code of the tensor-core passes for the calling thread's device: what
// it was compiled to counts, since a newer device also runs what was compiled for an older one, and
// below 8.0 these kernels are empty.
bool has_tensor_kernels();

}  // namespace dispersion
