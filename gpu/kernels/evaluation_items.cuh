#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "core/task/draws.h"
#include "gpu/kernels/block.cuh"
#include "gpu/kernels/evaluation_memory.h"
#include "gpu/kernels/group_view.cuh"

namespace dispersion {

// An item of an evaluation set: as draw_evaluation_sets draws it, or as given.
__device__ inline DrawnItem drawn_item(const EvaluationSets& sets, int set, int item) {
  const PhiloxBlock block = draw_block(
      sets.seed, RandomPurpose::kEvaluation,
      {static_cast<std::uint32_t>(sets.items), sets.first_set + static_cast<std::uint32_t>(set),
       static_cast<std::uint32_t>(item), Draw::kItem});
  return {uniform_from_24_bits(block.word[0]),
          static_cast<int>(uniform_below(block.word[1], kHeadClasses))};
}

__device__ inline DrawnItem given_item(const EvaluationSets& sets, int set, int item) {
  const long long at = static_cast<long long>(set) * sets.items + item;
  return {sets.priority[at], sets.item_class[at]};
}

__device__ inline DrawnItem evaluation_item(const EvaluationSets& sets, int set, int item) {
  return sets.priority != nullptr ? given_item(sets, set, item) : drawn_item(sets, set, item);
}

__device__ inline float evaluation_query(const EvaluationSets& sets, int set) {
  if (sets.query != nullptr) return sets.query[set];
  const PhiloxBlock block =
      draw_block(sets.seed, RandomPurpose::kEvaluation,
                 {static_cast<std::uint32_t>(sets.items),
                  sets.first_set + static_cast<std::uint32_t>(set), 0, Draw::kQuery});
  return uniform_from_24_bits(block.word[0]);
}

// A chunk of a set: what a block works on at a time.
struct ChunkPlace {
  int set;
  int piece;  // its number among the chunks of all sets
  int begin;  // its first item
  int count;
};

__device__ inline int chunk_begin(int chunk, int chunk_items) {
  return chunk * chunk_items;
}

// Calls work(chunk) for the block's share of the chunks of all sets: blocks are [chunks of a set,
// sets] or fewer.
template <class Work>
__device__ inline void for_each_chunk(const EvaluationSets& sets, int chunk_items, Work work) {
  const int chunk_count = chunks(sets.items, chunk_items);
  for (int set = static_cast<int>(blockIdx.y); set < sets.sets;
       set += static_cast<int>(gridDim.y)) {
    for (int chunk = static_cast<int>(blockIdx.x); chunk < chunk_count;
         chunk += static_cast<int>(gridDim.x)) {
      const int begin = chunk_begin(chunk, chunk_items);
      work(ChunkPlace{set, set * chunk_count + chunk, begin, min(chunk_items, sets.items - begin)});
    }
  }
}

// Threads of a block that takes chunks on the spectral path: whole warps, all with items, but
// enough to fill and empty tables soon. The number of items alone decides, so that nothing else
// does over a result's bits.
constexpr int chunk_threads(int items) {
  constexpr int kWarpItems = kWarp * kItemsPerThread;
  constexpr int kFewestWarps = 4;
  const int warps = (std::min(items, kChunkItems) + kWarpItems - 1) / kWarpItems;
  return std::max(warps, kFewestWarps) * kWarp;
}

// The j-th item of the thread, of the chunk.
__device__ inline int item_of_thread(int j) {
  return static_cast<int>(threadIdx.x) + j * static_cast<int>(blockDim.x);
}

// The thread's items of a chunk; past its end the last one again. Without a branch for every item,
// all of them are on their way at once.
using ThreadItems = DrawnItem[kItemsPerThread];

__device__ inline void items_of_thread(const EvaluationSets& sets, const ChunkPlace& chunk,
                                       ThreadItems& items) {
  const auto item = [&](int j) { return chunk.begin + min(item_of_thread(j), chunk.count - 1); };
  if (sets.priority != nullptr) {
#pragma unroll
    for (int j = 0; j < kItemsPerThread; ++j)
      items[j] = given_item(sets, chunk.set, item(j));
  } else {
#pragma unroll
    for (int j = 0; j < kItemsPerThread; ++j)
      items[j] = drawn_item(sets, chunk.set, item(j));
  }
}

constexpr int cubic_count(int cells) {
  return kHeadClasses * cells;
}

// The cubics of a set's query to shared memory, by all threads of the block, with a barrier before.
__device__ inline void load_cubics(const EvaluationHead& head, const EvaluationMemory& memory,
                                   int set, float4* cubics) {
  const int count = cubic_count(head.cells);
  const float4* from =
      reinterpret_cast<const float4*>(memory.cubics) + static_cast<long long>(set) * count;
  __syncthreads();
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x))
    cubics[i] = from[i];
}

// Where an item lies in the cells of its class.
struct CellPlace {
  int cubic;  // index of its cubic
  float t;    // in [0, 1] across the cell
};

__device__ inline CellPlace cell_place(int cells, const DrawnItem& item) {
  const float along = item.priority * static_cast<float>(cells);
  // A priority rounded to fewer digits may be 1, which the last cell holds at its edge.
  const int cell = min(static_cast<int>(along), cells - 1);
  return {item.item_class * cells + cell, along - static_cast<float>(cell)};
}

__device__ inline float cubic_logit(const float4* cubics, const CellPlace& place) {
  const float4 cubic = cubics[place.cubic];
  float value = fmaf(cubic.w, place.t, cubic.z);
  value = fmaf(value, place.t, cubic.y);
  return fmaf(value, place.t, cubic.x);
}

// An item's logit in double, as ItemLogits::exact_logit, but divided by the sum of the basis at the
// end. node_logits: of the item's class.
__device__ inline double exact_logit(const NodeTable& nodes, const double* node_logits,
                                     float priority) {
  double sums[4] = {0, 0, 0, 0};
  double logits[4] = {0, 0, 0, 0};
#pragma unroll 1
  for (int k = 0; k < nodes.count; k += 4) {
#pragma unroll
    for (int l = 0; l < 4; ++l) {
      const double distance =
          static_cast<double>(priority) - static_cast<double>(nodes.point[k + l]);
      const double term = barycentric_term(nodes.weight[k + l], distance);
      sums[l] += term;
      logits[l] = fma(term, node_logits[k + l], logits[l]);
    }
  }
  return ((logits[0] + logits[1]) + (logits[2] + logits[3])) /
         ((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

}  // namespace dispersion
