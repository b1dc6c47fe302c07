#pragma once

#include <cuda_runtime.h>

#include "core/task/draws.h"
#include "gpu/kernels/block.cuh"
#include "gpu/kernels/evaluation_memory.h"
#include "gpu/kernels/group_view.cuh"

namespace dispersion {

// An item of an evaluation set: as draw_evaluation_sets draws it, or as given.
__device__ inline DrawnItem evaluation_item(const EvaluationSets& sets, int set, int item) {
  if (sets.priority != nullptr) {
    const long long at = static_cast<long long>(set) * sets.items + item;
    return {sets.priority[at], sets.item_class[at]};
  }
  const PhiloxBlock block = draw_block(
      sets.seed, RandomPurpose::kEvaluation,
      {static_cast<std::uint32_t>(sets.items), sets.first_set + static_cast<std::uint32_t>(set),
       static_cast<std::uint32_t>(item), Draw::kItem});
  return {uniform_from_24_bits(block.word[0]),
          static_cast<int>(uniform_below(block.word[1], kHeadClasses))};
}

__device__ inline float evaluation_query(const EvaluationSets& sets, int set) {
  if (sets.query != nullptr) return sets.query[set];
  const PhiloxBlock block =
      draw_block(sets.seed, RandomPurpose::kEvaluation,
                 {static_cast<std::uint32_t>(sets.items),
                  sets.first_set + static_cast<std::uint32_t>(set), 0, Draw::kQuery});
  return uniform_from_24_bits(block.word[0]);
}

// First and last item of a chunk.
__device__ inline int chunk_begin(int chunk) {
  return chunk * kChunkItems;
}
__device__ inline int chunk_end(const EvaluationSets& sets, int chunk) {
  return min(sets.items, (chunk + 1) * kChunkItems);
}

// The cubics of a set's query, [classes, cells, 4], without what all logits share
// (set_cell_logits); by all threads of the block.
__device__ inline void make_cubics(const EvaluationHead& head, const double* query_basis,
                                   float* cubics) {
  const int size = kHeadClasses * head.cells * 4;
  for (int i = static_cast<int>(threadIdx.x); i < size; i += static_cast<int>(blockDim.x)) {
    double sum = 0;
    for (int q = 0; q < head.queries.count; ++q)
      sum = fma(query_basis[q], head.cell_logits[q * size + i], sum);
    cubics[i] = static_cast<float>(sum);
  }
}

// Where an item lies in the cells of its class.
struct CellPlace {
  int first;  // index of its cubic
  float t;    // in [0, 1] across the cell
};

__device__ inline CellPlace cell_place(int cells, const DrawnItem& item) {
  const float along = item.priority * static_cast<float>(cells);
  // A priority rounded to fewer digits may be 1, which the last cell holds at its edge.
  const int cell = min(static_cast<int>(along), cells - 1);
  return {4 * (item.item_class * cells + cell), along - static_cast<float>(cell)};
}

__device__ inline float cubic_logit(const float* cubics, const CellPlace& place) {
  const float* cubic = cubics + place.first;
  float value = fmaf(cubic[3], place.t, cubic[2]);
  value = fmaf(value, place.t, cubic[1]);
  return fmaf(value, place.t, cubic[0]);
}

// An item's logit in double, as ItemLogits::exact_logit.
__device__ inline double exact_logit(const EvaluationHead& head, const double* query_basis,
                                     const DrawnItem& item) {
  double basis[kMostItemNodesPerClass];
  lagrange_row(head.items, static_cast<double>(item.priority), basis);
  const int nodes = kHeadClasses * head.items.count;
  double logit = 0;
  for (int k = 0; k < head.items.count; ++k) {
    double at_node = 0;
    for (int q = 0; q < head.queries.count; ++q) {
      at_node = fma(query_basis[q],
                    head.node_logits[q * nodes + item.item_class * head.items.count + k], at_node);
    }
    logit = fma(basis[k], at_node, logit);
  }
  return logit;
}

}  // namespace dispersion
