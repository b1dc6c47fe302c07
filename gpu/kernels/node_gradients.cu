#include "gpu/kernels/block_product.cuh"
#include "gpu/kernels/early_launch.cuh"
#include "gpu/kernels/group_view.cuh"
#include "gpu/kernels/training_kernels.h"

namespace dispersion {
namespace {

// Phase 4, spectral path: what all sets together give a few nodes. Grid [kNodeTiles, heads],
// kProductThreads threads; a block has kNodeRows nodes, which are never fewer, since a head's nodes
// are a multiple of 4 * kHeadClasses.
static_assert(4 * kHeadClasses % kNodeRows == 0 && kMostNodes % kNodeRows == 0);

// Sets, a chunk of kWidth at a time, are dealt to this many threads for every query node.
constexpr int kSetParts = kProductThreads / kMostQueryNodes;

// A chunk of sets, converted once.
struct SetChunk {
  double logit_gradient[kWidth][kNodeRows];
  double query_basis[kWidth][kMostQueryNodes];
};

struct ChunkShared {
  float x[kNodeRows * kProductStride];
  SetChunk chunk;
};

struct NodeShared {
  // The shares of the warps are stored where the last chunk was. Both begin with x.
  union {
    ProductShared<kNodeRows> product;
    ChunkShared sets;
  };
  alignas(16) double parts[kProductParts][kMostQueryNodes][kNodeRows];
  // d / d (U H^T), rounded to float.
  alignas(16) float logit_gradient[kNodeRows][kMostQueryNodes];
  alignas(16) double logit_gradient_double[kMostQueryNodes][kNodeRows];
};

__device__ int query_node() {
  return static_cast<int>(threadIdx.x) % kMostQueryNodes;
}

// From d / d set logits at the tile's nodes; 0 from set `count` on.
__device__ void store_logit_gradients(const float* from, int count, SetChunk& chunk) {
  static_assert(kWidth * kNodeRows == 4 * kProductThreads);
  const int s = static_cast<int>(threadIdx.x) / (kNodeRows / 4);
  const int r = static_cast<int>(threadIdx.x) % (kNodeRows / 4) * 4;
  const float4 four =
      s < count ? *reinterpret_cast<const float4*>(from + s * kMostNodes + r) : float4{0, 0, 0, 0};
  double* to = chunk.logit_gradient[s] + r;
  to[0] = static_cast<double>(four.x);
  to[1] = static_cast<double>(four.y);
  to[2] = static_cast<double>(four.z);
  to[3] = static_cast<double>(four.w);
}

__device__ void store_basis(const double* basis, int count, int queries, SetChunk& chunk) {
  const int part = static_cast<int>(threadIdx.x) / kMostQueryNodes;
#pragma unroll
  for (int i = 0; i < kWidth / kSetParts; ++i) {
    const int s = i * kSetParts + part;
    const bool used = s < count && query_node() < queries;
    chunk.query_basis[s][query_node()] = used ? basis[s * kMostQueryNodes + query_node()] : 0;
  }
}

// Adds a chunk's sums over sets: a thread's query node at all of the tile's nodes, half of them at
// a time, which leaves registers to the product.
__device__ void add_logit_gradients(NodeShared& shared, bool first) {
  constexpr int kHalf = kNodeRows / 2;
  const SetChunk& chunk = shared.sets.chunk;
  const int warp = warp_of_thread();
  const int part = static_cast<int>(threadIdx.x) / kMostQueryNodes;
#pragma unroll 1
  for (int half = 0; half < kNodeRows; half += kHalf) {
    double sums[kHalf] = {};
#pragma unroll
    for (int i = 0; i < kWidth / kSetParts; ++i) {
      const int s = i * kSetParts + part;
      const double basis = chunk.query_basis[s][query_node()];
#pragma unroll
      for (int r = 0; r < kHalf; ++r)
        sums[r] = fma(basis, chunk.logit_gradient[s][half + r], sums[r]);
    }
    static_assert(kWarp == 2 * kMostQueryNodes);  // the halves of a warp have the same query nodes
    double* to = shared.parts[warp][query_node()] + half;
#pragma unroll
    for (int r = 0; r < kHalf; ++r) {
      sums[r] += __shfl_xor_sync(kAllLanes, sums[r], kMostQueryNodes);
      if (part % 2 == 0) to[r] = first ? sums[r] : to[r] + sums[r];
    }
  }
}

__device__ void join_logit_sums(NodeShared& shared) {
  const int t = static_cast<int>(threadIdx.x);
  if (t >= kMostQueryNodes * kNodeRows) return;
  const int q = t / kNodeRows;
  const int r = t % kNodeRows;
  double sum = 0;
#pragma unroll
  for (int w = 0; w < kProductParts; ++w)
    sum += shared.parts[w][q][r];
  shared.logit_gradient[r][q] = static_cast<float>(sum);
  shared.logit_gradient_double[q][r] = static_cast<double>(static_cast<float>(sum));
}

// The tile's share of d / d score vectors, and of what takes the mean of H off it (score_gradient
// in networks_backward.cu).
__device__ void store_score_parts(const GroupMemory& group, int head, int queries,
                                  const float (&embedding)[kNodeRows], const NodeShared& shared) {
  const int tile = static_cast<int>(blockIdx.x);
  const int channel = product_channel();
  double h[kNodeRows];
  double total = 0;
#pragma unroll
  for (int r = 0; r < kNodeRows; ++r) {
    h[r] = static_cast<double>(embedding[r]);
    total += h[r];
  }
  double* parts = of_head(group.score_parts, head, kNodeTiles * kMostQueryNodes * kWidth) +
                  tile * kMostQueryNodes * kWidth + channel;
  for (int q = product_row(0); q < queries; q += kProductThreads / kWidth) {
    double sum = 0;
#pragma unroll
    for (int r = 0; r < kNodeRows; ++r)
      sum = fma(shared.logit_gradient_double[q][r], h[r], sum);
    parts[q * kWidth] = sum;
  }
  if (product_row(0) == 0)
    of_head(group.embedding_sums, head, kNodeTiles * kWidth)[tile * kWidth + channel] = total;
  if (static_cast<int>(threadIdx.x) < queries) {
    double sum = 0;
#pragma unroll
    for (int r = 0; r < kNodeRows; ++r)
      sum += shared.logit_gradient_double[query_node()][r];
    of_head(group.logit_gradient_sums, head,
            kNodeTiles * kMostQueryNodes)[tile * kMostQueryNodes + query_node()] = sum;
  }
}

// What a thread will need once the sums are there.
struct NodeOperands {
  float score_vector[kMostQueryNodes];  // at its channel
  float embedding[kNodeRows];           // of all nodes of the tile, at its channel
  RowSums<kNodeRows> slope;             // of the second layer
};

__device__ void fetch_operands(const GroupMemory& group, int head, int first, int queries,
                               NodeOperands& operands) {
  const int channel = product_channel();
  const int size = group.rows * kWidth;
  const float* vectors = of_head(group.score_vector, head, group.query_rows * kWidth) + channel;
#pragma unroll
  for (int q = 0; q < kMostQueryNodes; ++q)
    operands.score_vector[q] = q < queries ? vectors[q * kWidth] : 0.0f;
  const float* embedding = of_head(group.embedding, head, size) + first * kWidth + channel;
#pragma unroll
  for (int r = 0; r < kNodeRows; ++r)
    operands.embedding[r] = embedding[r * kWidth];
  load_rows<kNodeRows>(of_head(group.embedding_slope, head, size) + first * kWidth, kNodeRows,
                       operands.slope);
}

// d / d (second layer before GELU): what pooling gives and what the logits give, times the slope.
__device__ void store_node_gradients(const GroupMemory& group, int head, int first,
                                     const NodeOperands& operands, const NodeShared& shared,
                                     RowSums<kNodeRows>& rows) {
#pragma unroll
  for (int j = 0; j < kThreadRows<kNodeRows>; ++j) {
    const float* gradient = shared.logit_gradient[product_row(j)];
#pragma unroll
    for (int q = 0; q < kMostQueryNodes; ++q)
      rows[j] = fmaf(gradient[q], operands.score_vector[q], rows[j]);
    rows[j] *= operands.slope[j];
  }
  store_rows<kNodeRows>(rows, kNodeRows,
                        of_head(group.embedding_slope, head, group.rows * kWidth) + first * kWidth);
}

__global__ void __launch_bounds__(kProductThreads, 2) node_gradients_kernel(GroupMemory group) {
  __shared__ NodeShared shared;
  wait_for_kernel_before();
  const int head = static_cast<int>(blockIdx.y);
  const int first = static_cast<int>(blockIdx.x) * kNodeRows;
  const bool stop = stopped(group);
  const int nodes = kHeadClasses * group.nodes[head].items.count;
  const int queries = group.nodes[head].queries.count;
  // The direct path has no nodes. One condition of all three, so that they are read together.
  if (static_cast<int>(stop) + static_cast<int>(first >= nodes) + static_cast<int>(queries == 0) >
      0)
    return;
  const int sets = group.recipe.sets;
  const double* query_basis = of_head(group.query_basis, head, sets * kMostQueryNodes);
  const float* scattered = of_head(group.set_logit_gradient, head, sets * kMostNodes) + first;
  const float* weights = of_head(group.node_weights, head, sets * kMostNodes) + first;
  const float* pooled = of_head(group.pooled_gradient, head, sets * kWidth);
  PartSums<kNodeRows> sums = {};
  for (int begin = 0; begin < sets; begin += kWidth) {
    const int count = min(kWidth, sets - begin);
    MatrixPart part;
    if (begin > 0) __syncthreads();
    store_logit_gradients(scattered + begin * kMostNodes, count, shared.sets.chunk);
    store_basis(query_basis + begin * kMostQueryNodes, count, queries, shared.sets.chunk);
    store_columns<kNodeRows>(weights + begin * kMostNodes, kMostNodes, count, shared.product.x);
    fetch_part(pooled + begin * kWidth, part, count);
    __syncthreads();
    add_logit_gradients(shared, begin == 0);
    add_part<kNodeRows>(shared.product.x, part, sums);
  }
  __syncthreads();
  store_part<kNodeRows>(sums, shared.product);
  NodeOperands operands;
  fetch_operands(group, head, first, queries, operands);
  RowSums<kNodeRows> rows;
  join_parts(shared.product, rows);
  join_logit_sums(shared);
  __syncthreads();
  store_node_gradients(group, head, first, operands, shared, rows);
  store_score_parts(group, head, queries, operands.embedding, shared);
}

}  // namespace

void launch_node_gradients(Stream& stream, const GroupMemory& group) {
  stream.launch(node_gradients_kernel,
                {.grid = dim3(kNodeTiles, group.heads), .block = kProductThreads, .early = true},
                group);
}

}  // namespace dispersion
