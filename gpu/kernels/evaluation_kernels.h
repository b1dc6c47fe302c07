#pragma once

#include <cstddef>

#include "gpu/kernels/evaluation_memory.h"
#include "gpu/runtime/stream.h"

namespace dispersion {

// A block a chunk, or fewer.
inline dim3 chunk_grid(const EvaluationMemory& memory, int chunk_items) {
  const ChunkBlocks blocks = chunk_blocks(memory, chunk_items);
  return {static_cast<unsigned>(blocks.of_set), static_cast<unsigned>(blocks.sets)};
}

// First pass of an evaluation on the spectral path: makes tables for the query of every set, draws
// or reads the items of every chunk, computes their logits from the tables, and sums them up.
void launch_spectral_scores(Stream& stream, const EvaluationHead& head,
                            const EvaluationMemory& memory);

// Between the passes of an evaluation: merges the chunks of every set, which gives the largest
// logit, the entropies and from them the adaptive beta.
void launch_merge_scores(Stream& stream, const EvaluationHead& head,
                         const EvaluationMemory& memory);

// Second pass of an evaluation on the spectral path: the results of every set, and its pooled
// embedding under every transform. memory.moments must be 0.
void launch_spectral_pool(Stream& stream, const EvaluationHead& head,
                          const EvaluationMemory& memory);

// Shared memory that a block of the spectral path's kernels needs for a head with so many cells.
std::size_t spectral_shared_bytes(int cells);

// Parts of these passes: tables for the query of every set; what the chunks of the second pass say
// together; from moments to pooled embeddings, and the shared memory for that.
void launch_set_tables(Stream& stream, const EvaluationHead& head, const EvaluationMemory& memory);
void launch_merge_pools(Stream& stream, const EvaluationMemory& memory, int chunk_count);
void launch_pool_nodes(Stream& stream, const EvaluationHead& head, const EvaluationMemory& memory);
std::size_t pool_nodes_bytes(int cells);

// An evaluation on the direct path: every item through its network, in both passes. Between them
// comes launch_merge_scores.
void launch_direct_scores(Stream& stream, const EvaluationHead& head,
                          const EvaluationMemory& memory);
void launch_direct_pool(Stream& stream, const EvaluationHead& head, const EvaluationMemory& memory);

// Last pass of an evaluation: the readout of every pooled embedding, if there are any.
void launch_classify(Stream& stream, const EvaluationHead& head, const EvaluationMemory& memory);

}  // namespace dispersion
