#include "gpu/kernels/evaluation_kernels.h"

#include "gpu/kernels/block.cuh"
#include "gpu/kernels/chunk_score.cuh"

namespace dispersion {
namespace {

// Dynamic shared memory: the cubics.
__global__ void __launch_bounds__(kMostChunkThreads)
    spectral_scores_kernel(EvaluationHead head, EvaluationMemory memory) {
  __shared__ ScoreShared shared;
  float4* cubics = dynamic_shared<float4>();
  for_each_chunk(memory.sets, kChunkItems, [&](const ChunkPlace& chunk) {
    load_cubics(head, memory, chunk.set, cubics);
    __syncthreads();
    float logits[kItemsPerThread];
    LargestPriority priority{-1, memory.sets.items, 0, 0};
    ThreadItems items;
    items_of_thread(memory.sets, chunk, items);
#pragma unroll
    for (int j = 0; j < kItemsPerThread; ++j) {
      const int i = item_of_thread(j);
      logits[j] = cubic_logit(cubics, cell_place(head.cells, items[j]));
      if (i < chunk.count) {
        priority =
            join_priorities(priority, {items[j].priority, chunk.begin + i, items[j].item_class, 1});
      }
    }
    score_chunk(memory.transforms, logits, chunk.count, priority, shared,
                memory.chunk_scores[chunk.piece]);
    if (memory.logits != nullptr)
      store_logits(logits, chunk, static_cast<float>(memory.constants[chunk.set]), memory);
  });
}

}  // namespace

void launch_spectral_scores(Stream& stream, const EvaluationHead& head,
                            const EvaluationMemory& memory) {
  launch_set_tables(stream, head, memory);
  stream.launch(
      spectral_scores_kernel,
      {chunk_grid(memory, kChunkItems), static_cast<unsigned>(chunk_threads(memory.sets.items)),
       static_cast<std::size_t>(cubic_count(head.cells)) * sizeof(float4)},
      head, memory);
}

}  // namespace dispersion
