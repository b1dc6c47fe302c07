#include "gpu/kernels/node_logits.h"

#include "gpu/kernels/group_view.cuh"

namespace dispersion {
namespace {

// Phase 2, spectral path: logits at the nodes for every query node, U H^T, in double. Grid
// [ceil(kMostNodes / kWidth), heads], kWidth threads; a thread is a node.
__global__ void __launch_bounds__(kWidth) node_logits_kernel(GroupMemory group) {
  const int head = static_cast<int>(blockIdx.y);
  if (stopped(group) || !is_spectral(group, head)) return;
  const int queries = group.nodes[head].queries.count;
  const int nodes = kHeadClasses * group.nodes[head].items.count;
  const int node = static_cast<int>(blockIdx.x * kWidth + threadIdx.x);
  if (node >= nodes) return;
  const float* embedding = of_head(group.embedding_t, head, kWidth * kMostNodes) + node;
  const float* vectors = of_head(group.score_vector, head, group.query_rows * kWidth);
  double sums[kMostQueryNodes] = {};
  for (int j = 0; j < kWidth; ++j) {
    const double h = static_cast<double>(embedding[j * kMostNodes]);
#pragma unroll
    for (int q = 0; q < kMostQueryNodes; ++q) {
      if (q < queries) sums[q] = fma(static_cast<double>(vectors[q * kWidth + j]), h, sums[q]);
    }
  }
  double* logits = of_head(group.node_logits, head, kMostQueryNodes * kMostNodes) + node;
#pragma unroll
  for (int q = 0; q < kMostQueryNodes; ++q) {
    if (q < queries) logits[q * kMostNodes] = sums[q];
  }
}

}  // namespace

void launch_node_logits(Stream& stream, const GroupMemory& group) {
  stream.launch(node_logits_kernel, {dim3((kMostNodes + kWidth - 1) / kWidth, group.heads), kWidth},
                group);
}

}  // namespace dispersion
