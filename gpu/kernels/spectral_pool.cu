#include "gpu/kernels/evaluation_kernels.h"

#include <algorithm>

#include "core/math/exponential.h"
#include "gpu/kernels/best_logit.cuh"
#include "gpu/kernels/block.cuh"
#include "gpu/kernels/chunk_sums.cuh"
#include "gpu/kernels/compensated_sum.cuh"
#include "gpu/kernels/evaluation_items.cuh"
#include "gpu/kernels/moments.cuh"
#include "gpu/kernels/transform_weight.cuh"

namespace dispersion {
namespace {

struct PoolShared {
  BestLogit best[kMostWarps];
  ChunkSums sums;
};

// A thread's items of a chunk. One past its end has no weight: its logit is minus infinity.
struct PlacedItems {
  float logit[kItemsPerThread];
  CellPlace place[kItemsPerThread];
};

// The thread's items; returns which of their logits may be the largest, bit by bit.
__device__ inline unsigned place_items(const EvaluationHead& head, const EvaluationMemory& memory,
                                       const ChunkPlace& chunk, const float4* cubics,
                                       PlacedItems& placed) {
  const float doubtful = memory.set_scores[chunk.set].doubtful;
  unsigned in_doubt = 0;
  ThreadItems items;
  items_of_thread(memory.sets, chunk, items);
#pragma unroll
  for (int j = 0; j < kItemsPerThread; ++j) {
    placed.place[j] = cell_place(head.cells, items[j]);
    const float logit = cubic_logit(cubics, placed.place[j]);
    const bool there = item_of_thread(j) < chunk.count;
    placed.logit[j] = there ? logit : -INFINITY;
    if (there && logit >= doubtful) in_doubt |= 1u << j;
  }
  return in_doubt;
}

// The best of the thread's items in doubt, in double.
__device__ inline BestLogit best_of(const EvaluationHead& head, const EvaluationMemory& memory,
                                    const ChunkPlace& chunk, unsigned in_doubt) {
  BestLogit best = no_logit(memory.sets);
  const double* node_logits =
      memory.node_logits + static_cast<long long>(chunk.set) * kHeadClasses * head.items.count;
  for (int j = 0; in_doubt >> j != 0; ++j) {
    if (((in_doubt >> j) & 1u) == 0) continue;
    const int i = chunk.begin + item_of_thread(j);
    const DrawnItem item = evaluation_item(memory.sets, chunk.set, i);
    const double* of_class = node_logits + item.item_class * head.items.count;
    best = join_best(best, {exact_logit(head.items, of_class, item.priority), i});
  }
  return best;
}

// Adds the weights under a transform to the chunk's moments and sums.
__device__ inline void weigh_items(const EvaluationMemory& memory, const ChunkPlace& chunk, int m,
                                   const PlacedItems& items, const MomentHalves& moments,
                                   ChunkSums& sums) {
  const SetScore& score = memory.set_scores[chunk.set];
  const TransformWeight transform{score.scale[m],
                                  memory.transforms.transform[m].id == TransformId::kHard};
  const float largest = score.largest;
  const int at_priority = score.priority_item - chunk.begin;
  CompensatedSum sum;
  CompensatedSum weighted;
#pragma unroll
  for (int j = 0; j < kItemsPerThread; ++j) {
    const WeightPoint point = transform.at(items.logit[j] - largest);
    sum.add(point.weight);
    weighted.add(point.weight * point.exponent);
    if (item_of_thread(j) == at_priority)
      memory.weight_on_max[chunk.set * memory.transforms.count + m] = point.weight;
    moments.add(point.weight, items.place[j]);
  }
  sums.put(m, sum.value(), weighted.value());
}

// Dynamic shared memory: the chunk's moments, whose place the cubics take first.
__global__ void __launch_bounds__(kMostChunkThreads, 2)
    spectral_pool_kernel(EvaluationHead head, EvaluationMemory memory) {
  __shared__ PoolShared shared;
  float4* cubics = dynamic_shared<float4>();
  const MomentHalves moments(dynamic_shared<unsigned>(), cubic_count(head.cells));
  const int transforms = memory.transforms.count;
  for_each_chunk(memory.sets, kChunkItems, [&](const ChunkPlace& chunk) {
    load_cubics(head, memory, chunk.set, cubics);
    __syncthreads();
    PlacedItems items;
    const unsigned in_doubt = place_items(head, memory, chunk, cubics, items);
    moments.clear();
    unsigned long long* of_set =
        memory.moments + static_cast<long long>(chunk.set) * transforms * moments.count();
    for (int m = 0; m < transforms; ++m) {
      __syncthreads();
      weigh_items(memory, chunk, m, items, moments, shared.sums);
      __syncthreads();
      moments.move(of_set + m * moments.count());
    }
    // Last, when the items need no registers any more.
    const BestLogit best = block_join(best_of(head, memory, chunk, in_doubt), shared.best,
                                      static_cast<int>(blockDim.x) / kWarp, join_best);
    ChunkPool& pool = memory.chunk_pools[chunk.piece];
    shared.sums.total(transforms, pool.sum, pool.weighted_sum);
    if (threadIdx.x == 0) {
      pool.best_logit = best.logit;
      pool.best_item = best.item;
    }
  });
}

std::size_t pool_bytes(int cells) {
  return MomentHalves::bytes(cubic_count(cells));
}

}  // namespace

std::size_t spectral_shared_bytes(int cells) {
  return std::max(sizeof(PoolShared) + pool_bytes(cells), pool_nodes_bytes(cells));
}

void launch_spectral_pool(Stream& stream, const EvaluationHead& head,
                          const EvaluationMemory& memory) {
  stream.launch(spectral_pool_kernel,
                {chunk_grid(memory, kChunkItems),
                 static_cast<unsigned>(chunk_threads(memory.sets.items)), pool_bytes(head.cells)},
                head, memory);
  launch_merge_pools(stream, memory, chunks(memory.sets.items, kChunkItems));
  if (memory.transforms.count > 0) launch_pool_nodes(stream, head, memory);
}

}  // namespace dispersion
