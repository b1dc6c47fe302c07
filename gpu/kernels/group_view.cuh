#pragma once

#include <cuda_runtime.h>

#include "core/task/draws.h"
#include "gpu/kernels/group_memory.h"

namespace dispersion {

// A head's part of arrays of the group.
template <class T>
__device__ inline T* of_head(T* base, int head, int size) {
  return base + static_cast<long long>(head) * size;
}

__device__ inline const float* tensor(const GroupMemory& group, int head, TensorId id) {
  return of_head(group.parameters, head, kParameterStride) + tensor_offset(id);
}

__device__ inline float* gradient_of(const GroupMemory& group, int head, TensorId id) {
  return of_head(group.gradient, head, kParameterStride) + tensor_offset(id);
}

// [out, in] of a square kernel.
__device__ inline const float* transposed_tensor(const GroupMemory& group, int head, TensorId id) {
  return of_head(group.transposed, head, kSquareKernels * kWidth * kWidth) +
         square_kernel(id) * kWidth * kWidth;
}

// Of a step in arrays [heads, ring].
__device__ inline int ring_slot(const GroupMemory& group, int head, std::int64_t step) {
  // The ring is a power of two.
  return head * group.ring + static_cast<int>(static_cast<unsigned>(step) & (group.ring - 1u));
}

__device__ inline bool stopped(const GroupMemory& group) {
  return *static_cast<volatile int*>(group.failed) != 0;
}

// Of the logits.
__device__ inline float logit_scale() {
  return 1.0f / sqrtf(static_cast<float>(kWidth));
}

// Items in the sets of this head's next batch (as draw_batch_size).
__device__ inline int batch_items(const GroupMemory& group, int head) {
  const PhiloxBlock block =
      draw_block(group.seed[head], RandomPurpose::kTraining,
                 {static_cast<std::uint32_t>(group.step[head]), 0, 0, Draw::kBatchSize});
  const int choices = group.recipe.largest_set - group.recipe.smallest_set + 1;
  return group.recipe.smallest_set +
         static_cast<int>(uniform_below(block.word[0], static_cast<std::uint32_t>(choices)));
}

struct DrawnItem {
  float priority;
  int item_class;
};

__device__ inline DrawnItem draw_item(const GroupMemory& group, int head, int set, int item) {
  const PhiloxBlock block =
      draw_block(group.seed[head], RandomPurpose::kTraining,
                 {static_cast<std::uint32_t>(group.step[head]), static_cast<std::uint32_t>(set),
                  static_cast<std::uint32_t>(item), Draw::kItem});
  return {uniform_from_24_bits(block.word[0]),
          static_cast<int>(uniform_below(block.word[1], kHeadClasses))};
}

__device__ inline float draw_query(const GroupMemory& group, int head, int set) {
  const PhiloxBlock block = draw_block(group.seed[head], RandomPurpose::kTraining,
                                       {static_cast<std::uint32_t>(group.step[head]),
                                        static_cast<std::uint32_t>(set), 0, Draw::kQuery});
  return uniform_from_24_bits(block.word[0]);
}

// Whether the head takes the spectral path.
__device__ inline bool is_spectral(const GroupMemory& group, int head) {
  return group.nodes[head].items.count > 0;
}

// Rows of the item network: nodes, class by class, or items, set by set.
__device__ inline int item_rows(const GroupMemory& group, int head) {
  return is_spectral(group, head) ? kHeadClasses * group.nodes[head].items.count
                                  : group.recipe.sets * batch_items(group, head);
}

__device__ inline int query_rows(const GroupMemory& group, int head) {
  return is_spectral(group, head) ? group.nodes[head].queries.count : group.recipe.sets;
}

// Priority and class at a row of the item network: of a node, or of an item of the batch.
__device__ inline DrawnItem node_at(const GroupMemory& group, int head, int row) {
  const NodeTable& nodes = group.nodes[head].items;
  return {nodes.point[row % nodes.count], row / nodes.count};
}

__device__ inline DrawnItem batch_item_at(const GroupMemory& group, int head, int row) {
  const int items = batch_items(group, head);
  return draw_item(group, head, row / items, row % items);
}

__device__ inline float query_at(const GroupMemory& group, int head, int row) {
  const NodeTable& nodes = group.nodes[head].queries;
  return nodes.count > 0 ? nodes.point[row] : draw_query(group, head, row);
}

// Of a node at that distance, in sums over nodes of which polynomials are quotients.
__device__ inline double barycentric_term(double weight, double distance) {
  constexpr double kHit = 1e-30;
  return weight / (distance == 0 ? kHit : distance);
}

// Values of the Lagrange polynomials at x, as lagrange_row (core/spectral/chebyshev.h), in the same
// order of sums. basis: [nodes.count], a multiple of 4.
__device__ inline void lagrange_row(const NodeTable& nodes, double x, double* basis) {
  double sums[4] = {0, 0, 0, 0};
  for (int k = 0; k < nodes.count; k += 4) {
#pragma unroll
    for (int l = 0; l < 4; ++l) {
      const double distance = x - static_cast<double>(nodes.point[k + l]);
      const double term = barycentric_term(nodes.weight[k + l], distance);
      basis[k + l] = term;
      sums[l] += term;
    }
  }
  const double inverse = 1 / ((sums[0] + sums[1]) + (sums[2] + sums[3]));
  for (int k = 0; k < nodes.count; ++k)
    basis[k] *= inverse;
}

}  // namespace dispersion
