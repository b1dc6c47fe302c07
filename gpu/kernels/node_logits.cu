#include "gpu/kernels/early_launch.cuh"
#include "gpu/kernels/group_view.cuh"
#include "gpu/kernels/lagrange_quarter.cuh"
#include "gpu/kernels/training_kernels.h"
#include "gpu/kernels/warp_sums.cuh"

namespace dispersion {
namespace {

// Phase 2, what the sets need beside the networks. The first kMostNodes / kWarps blocks take the
// logits at the nodes, the others draw a set each; grid [kMostNodes / kWarps + sets, heads].
constexpr int kWarps = 4;
static_assert(kMostNodes % kWarps == 0);

__device__ inline float4 four_channels(const float* row) {
  return *reinterpret_cast<const float4*>(row + kLaneChannels * lane_of_thread());
}

// U H^T of one node, in double, for `queries` of at most kQueries query nodes. A warp is a node and
// a lane has four channels: all that a thread needs is on its way at once, and converted once.
template <int kQueries>
__device__ inline void node_column(const float* vectors, int queries, const float* embedding,
                                   double* logits) {
  const int lane = lane_of_thread();
  const float4 h = four_channels(embedding);
  float4 vector[kQueries];
#pragma unroll
  for (int q = 0; q < kQueries; ++q) {
    vector[q] = {0, 0, 0, 0};
    if (q < queries) vector[q] = four_channels(vectors + q * kWidth);
  }
  double sums[kQueries];
#pragma unroll
  for (int q = 0; q < kQueries; ++q) {
    sums[q] = static_cast<double>(vector[q].x) * static_cast<double>(h.x);
    sums[q] = fma(static_cast<double>(vector[q].y), static_cast<double>(h.y), sums[q]);
    sums[q] = fma(static_cast<double>(vector[q].z), static_cast<double>(h.z), sums[q]);
    sums[q] = fma(static_cast<double>(vector[q].w), static_cast<double>(h.w), sums[q]);
  }
  const double sum = warp_sums(sums);
  if (lane < queries) logits[lane * kMostNodes] = sum;
}

__device__ void node_logits(const GroupMemory& group, int head, int node, int queries) {
  const float* embedding = of_head(group.embedding, head, group.rows * kWidth) + node * kWidth;
  const float* vectors = of_head(group.score_vector, head, group.query_rows * kWidth);
  double* logits = of_head(group.node_logits, head, kMostQueryNodes * kMostNodes) + node;
  if (queries <= kMostQueryNodes / 2) {
    node_column<kMostQueryNodes / 2>(vectors, queries, embedding, logits);
  } else {
    node_column<kMostQueryNodes>(vectors, queries, embedding, logits);
  }
}

// Draws the items of a set and, on the spectral path, interpolates at them and at the query. Four
// lanes an item; the last warp, which has no item in small sets, takes the query.
__device__ void draw_set(const GroupMemory& group, int head, int set, int items) {
  constexpr int kWarpItems = kWarp / kQuarters;
  const int warp = warp_of_thread();
  const int in_warp = lane_of_thread() / kQuarters;
  const int quarter = static_cast<int>(threadIdx.x) % kQuarters;
  const HeadNodes& nodes = group.nodes[head];
  const long long batch_set = static_cast<long long>(head) * group.recipe.sets + set;
  for (int first = warp * kWarpItems; first < items; first += kWarps * kWarpItems) {
    const int i = first + in_warp;
    const long long at = batch_set * group.recipe.largest_set + i;
    const DrawnItem item = draw_item(group, head, set, i);
    if (i < items && quarter == 0) {
      group.priority[at] = item.priority;
      group.item_class[at] = static_cast<std::uint8_t>(item.item_class);
    }
    if (nodes.items.count == 0) continue;
    LagrangeQuarter<kMostItemNodesPerClass> basis;
    lagrange_quarter(nodes.items, quarter, static_cast<double>(item.priority), basis);
    if (i < items) {
      store_quarter(basis, nodes.items.count, quarter,
                    group.item_basis + at * kMostItemNodesPerClass);
    }
  }
  if (warp == kWarps - 1 && nodes.queries.count > 0) {
    LagrangeQuarter<kMostQueryNodes> basis;
    lagrange_quarter(nodes.queries, quarter, static_cast<double>(draw_query(group, head, set)),
                     basis);
    if (in_warp == 0) {
      store_quarter(basis, nodes.queries.count, quarter,
                    group.query_basis + batch_set * kMostQueryNodes);
    }
  }
}

__global__ void __launch_bounds__(kWarps* kWarp, 4) node_logits_kernel(GroupMemory group) {
  constexpr int kNodeBlocks = kMostNodes / kWarps;
  const int head = static_cast<int>(blockIdx.y);
  const int block = static_cast<int>(blockIdx.x);
  if (block >= kNodeBlocks) {
    // One condition here and below, so that what it asks comes at once.
    const int items = batch_items(group, head);
    const bool stop = (items <= 0) | stopped(group);
    // The networks neither write what a draw reads nor touch what it writes: no need to wait first.
    if (!stop) draw_set(group, head, block - kNodeBlocks, items);
    return wait_for_kernel_before();
  }
  const int node = block * kWarps + warp_of_thread();
  const int queries = group.nodes[head].queries.count;
  const int nodes = kHeadClasses * group.nodes[head].items.count;
  const bool stop = (nodes <= node) | (queries == 0) | stopped(group);
  wait_for_kernel_before();
  if (stop) return;
  node_logits(group, head, node, queries);
}

}  // namespace

void launch_node_logits(Stream& stream, const GroupMemory& group) {
  const auto blocks = static_cast<unsigned>(kMostNodes / kWarps + group.recipe.sets);
  stream.launch(node_logits_kernel,
                {.grid = dim3(blocks, group.heads), .block = kWarps * kWarp, .early = true}, group);
}

}  // namespace dispersion
