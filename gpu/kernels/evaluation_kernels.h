#pragma once

#include "gpu/kernels/evaluation_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// First pass of an evaluation on the spectral path: draws or reads the items of every chunk,
// computes their logits from tables in shared memory, and sums them up.
void launch_spectral_scores(Stream& stream, const EvaluationHead& head,
                            const EvaluationMemory& memory);

// Between the passes of an evaluation: merges the chunks of every set, which gives the largest
// logit, the entropies and from them the adaptive beta.
void launch_merge_scores(Stream& stream, const EvaluationHead& head,
                         const EvaluationMemory& memory);

// Second pass of an evaluation on the spectral path: the pooled embedding of every set under every
// transform. memory.moments must be 0.
void launch_spectral_pool(Stream& stream, const EvaluationHead& head,
                          const EvaluationMemory& memory);

// An evaluation on the direct path: every item through its network, in both passes. Between them
// comes launch_merge_scores.
void launch_direct_scores(Stream& stream, const EvaluationHead& head,
                          const EvaluationMemory& memory);
void launch_direct_pool(Stream& stream, const EvaluationHead& head, const EvaluationMemory& memory);

// Last pass of an evaluation: the readout of every pooled embedding, and the results of every set.
void launch_classify(Stream& stream, const EvaluationHead& head, const EvaluationMemory& memory);

}  // namespace dispersion
