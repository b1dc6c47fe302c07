#include "gpu/kernels/evaluation_kernels.h"

#include <algorithm>

#include "gpu/kernels/evaluation_items.cuh"

namespace dispersion {
namespace {

// The moments of a class are cut into this many parts, whose sums are added in order, and so are
// the nodes for the channels.
constexpr int kParts = 16;
constexpr int kChannelParts = 4;
constexpr int kThreads = kWidth * kChannelParts;
static_assert(kParts * kMostItemNodesPerClass <= kThreads);

struct NodeShared {
  float weights[kMostNodes];
  float pooled[kChannelParts][kWidth];
};

// Sums over a part of the cells' moments for one node of every class, by a thread per part and
// node: to [parts, classes, points], in the moments' place. moments: [4, classes, cells].
__device__ inline void add_cells(const EvaluationHead& head, const double* moments,
                                 double* partial) {
  const int points = head.items.count;
  const int part = static_cast<int>(threadIdx.x) / points;
  const int point = static_cast<int>(threadIdx.x) - part * points;
  double sums[kHeadClasses] = {};
  if (part < kParts) {
    // Row 4 cell + power of the matrix.
#pragma unroll 4
    for (int row = part; row < 4 * head.cells; row += kParts) {
      const double factor = static_cast<double>(head.cell_matrix[row * points + point]);
      const double* moment = moments + row % 4 * cubic_count(head.cells) + row / 4;
#pragma unroll
      for (int c = 0; c < kHeadClasses; ++c)
        sums[c] = fma(moment[c * head.cells], factor, sums[c]);
    }
  }
  __syncthreads();
  if (part < kParts) {
#pragma unroll
    for (int c = 0; c < kHeadClasses; ++c)
      partial[(part * kHeadClasses + c) * points + point] = sums[c];
  }
  __syncthreads();
}

// The pooled embedding of a set under a transform: moments to nodes, nodes to channels. A block a
// row of [sets, transforms]. Dynamic shared memory: the moments, then sums over parts of them.
__global__ void __launch_bounds__(kThreads)
    pool_nodes_kernel(EvaluationHead head, EvaluationMemory memory) {
  __shared__ NodeShared shared;
  double* sums = dynamic_shared<double>();
  const int thread = static_cast<int>(threadIdx.x);
  const int nodes = kHeadClasses * head.items.count;
  const int size = 4 * cubic_count(head.cells);
  const int rows = memory.sets.sets * memory.transforms.count;
  for (int row = static_cast<int>(blockIdx.x); row < rows; row += static_cast<int>(gridDim.x)) {
    const unsigned long long* moments = memory.moments + static_cast<long long>(row) * size;
    const double unit = kWeightUnit / memory.weight_sums[row];
    __syncthreads();
#pragma unroll 5
    for (int i = thread; i < size; i += kThreads)
      sums[i] = static_cast<double>(moments[i]);
    __syncthreads();
    add_cells(head, sums, sums);
    if (thread < nodes) {
      double weight = 0;
#pragma unroll
      for (int p = 0; p < kParts; ++p)
        weight += sums[p * nodes + thread];
      shared.weights[thread] = static_cast<float>(weight * unit);
    }
    __syncthreads();
    const int channel = thread % kWidth;
    const int part = thread / kWidth;
    float pooled = 0;
#pragma unroll 10
    for (int node = part; node < nodes; node += kChannelParts)
      pooled = fmaf(shared.weights[node], head.embedding[node * kWidth + channel], pooled);
    shared.pooled[part][channel] = pooled;
    __syncthreads();
    if (part > 0) continue;
    for (int p = 1; p < kChannelParts; ++p)
      pooled += shared.pooled[p][channel];
    memory.pooled[static_cast<long long>(row) * kWidth + channel] = pooled;
  }
}

std::size_t dynamic_bytes(int cells) {
  const int partial = kParts * kMostNodes;
  return static_cast<std::size_t>(std::max(4 * cubic_count(cells), partial)) * sizeof(double);
}

}  // namespace

std::size_t pool_nodes_bytes(int cells) {
  return sizeof(NodeShared) + dynamic_bytes(cells);
}

void launch_pool_nodes(Stream& stream, const EvaluationHead& head, const EvaluationMemory& memory) {
  stream.launch(pool_nodes_kernel,
                {dim3(blocks_for(memory, memory.sets.sets * memory.transforms.count)), kThreads,
                 dynamic_bytes(head.cells)},
                head, memory);
}

}  // namespace dispersion
