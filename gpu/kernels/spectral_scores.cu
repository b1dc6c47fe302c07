#include "gpu/kernels/evaluation_kernels.h"

#include "gpu/kernels/block.cuh"
#include "gpu/kernels/chunk_score.cuh"

namespace dispersion {
namespace {

// Dynamic shared memory: the cubics, then the chunk's logits.
__global__ void __launch_bounds__(kWidth)
    spectral_scores_kernel(EvaluationHead head, EvaluationMemory memory) {
  __shared__ ScoreShared shared;
  __shared__ double query_basis[kMostQueryNodes];
  const int set = static_cast<int>(blockIdx.y);
  const int chunk = static_cast<int>(blockIdx.x);
  const int thread = static_cast<int>(threadIdx.x);
  float* cubics = dynamic_shared<float>();
  float* logits = cubics + kHeadClasses * head.cells * 4;
  if (thread == 0) {
    lagrange_row(head.queries, static_cast<double>(evaluation_query(memory.sets, set)),
                 query_basis);
  }
  __syncthreads();
  make_cubics(head, query_basis, cubics);
  __syncthreads();
  const int begin = chunk_begin(chunk);
  const int end = chunk_end(memory.sets, chunk);
  LargestPriority priority{-1, memory.sets.items, 0, 0};
  for (int i = begin + thread; i < end; i += kWidth) {
    const DrawnItem item = evaluation_item(memory.sets, set, i);
    logits[i - begin] = cubic_logit(cubics, cell_place(head.cells, item));
    priority = join_priorities(priority, {item.priority, i, item.item_class, 1});
  }
  __syncthreads();
  ChunkScore& score = memory.chunk_scores[set * static_cast<int>(gridDim.x) + chunk];
  score_chunk(memory.transforms, logits, end - begin, priority, shared, score);
  if (memory.logits == nullptr) return;
  double constant = 0;
  for (int q = 0; q < head.queries.count; ++q)
    constant = fma(query_basis[q], head.middle[q], constant);
  float* to = memory.logits + static_cast<long long>(set) * memory.sets.items;
  for (int i = begin + thread; i < end; i += kWidth)
    to[i] = logits[i - begin] + static_cast<float>(constant);
}

}  // namespace

static std::size_t spectral_score_bytes(int cells) {
  return (static_cast<std::size_t>(kHeadClasses * cells * 4) + kChunkItems) * sizeof(float);
}

void launch_spectral_scores(Stream& stream, const EvaluationHead& head,
                            const EvaluationMemory& memory) {
  stream.launch(
      spectral_scores_kernel,
      {dim3(chunks(memory.sets.items), memory.sets.sets), kWidth, spectral_score_bytes(head.cells)},
      head, memory);
}

}  // namespace dispersion
