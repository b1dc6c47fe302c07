#pragma once

#include <bit>

#include "gpu/kernels/lagrange_quarter.cuh"
#include "gpu/kernels/readout_tile.cuh"
#include "gpu/kernels/set_tile.cuh"
#include "gpu/kernels/tensor_core.cuh"
#include "gpu/kernels/warp_sums.cuh"

namespace dispersion {

// Attention of a tile of sets on the spectral path, from the embedding at the nodes and from items
// and queries that are drawn and interpolated at already (node_logits.cu).

// In place of the shares of a product, which the readout needs in between.
template <int kSets>
union NodesShared {
  double set_logits[kSets][kMostNodes];
  // Attention gathered at the nodes; on the way back, the gradient with respect to it.
  float at_nodes[kSets][kMostNodes];
};

template <int kSets>
struct SpectralShared {
  alignas(16) float product_x[kSets * kProductStride];
  alignas(16) NodesShared<kSets> nodes;
  double query_basis[kSets][kMostQueryNodes];  // at the queries of the tile
};

// The logits of a node for every query node.
struct NodeColumn {
  double value[kMostQueryNodes];
};

__device__ inline void fetch_column(const double* logits, int node, int nodes, int queries,
                                    NodeColumn& column) {
#pragma unroll
  for (int q = 0; q < kMostQueryNodes; ++q)
    column.value[q] = node < nodes && q < queries ? logits[q * kMostNodes + node] : 0.0;
}

// Logits at the nodes for the queries of the tile.
template <int kSets>
__device__ inline void interpolate_queries(const SetTile<kSets>& tile,
                                           SpectralShared<kSets>& shared) {
  const GroupMemory& group = tile.group;
  const int queries = tile.queries;
  const int nodes = kHeadClasses * tile.points;
  const int thread = static_cast<int>(threadIdx.x);
  const double* logits = of_head(group.node_logits, tile.head, kMostQueryNodes * kMostNodes);
  NodeColumn column;
  fetch_column(logits, thread, nodes, queries, column);
  static_assert(kSets * kMostQueryNodes <= kProductThreads);
  if (thread < kSets * kMostQueryNodes) {
    const int s = thread / kMostQueryNodes;
    const int q = thread % kMostQueryNodes;
    shared.query_basis[s][q] =
        s < tile.count && q < queries
            ? group.query_basis[static_cast<long long>(tile.set(s)) * kMostQueryNodes + q]
            : 0.0;
  }
  __syncthreads();
  for (int node = thread; node < nodes; node += kProductThreads) {
    if (node != thread) fetch_column(logits, node, nodes, queries, column);
    double sums[kSets] = {};
    // Eight at a time without a look at the count: beyond it both factors are 0.
#pragma unroll
    for (int q = 0; q < kMostQueryNodes; ++q) {
      if (q % 8 == 0 && q >= queries) break;
#pragma unroll
      for (int s = 0; s < kSets; ++s)
        sums[s] = fma(shared.query_basis[s][q], column.value[q], sums[s]);
    }
#pragma unroll
    for (int s = 0; s < kSets; ++s)
      shared.nodes.set_logits[s][node] = sums[s];
  }
}

// What four lanes know of an item. A warp has eight items of a set at a time: its unit u is set
// u % kSets, items 8 (u / kSets) on. Its first unit is the warp's own number.
inline constexpr int kWarpItems = kWarp / kQuarters;

struct ItemQuarter {
  LagrangeQuarter<kMostItemNodesPerClass> basis;
  int item_class;
};

template <int kSets>
__device__ inline void fetch_item(const SetTile<kSets>& tile, int unit, ItemQuarter& item) {
  const int s = min(unit % kSets, tile.count - 1);
  const int i = min(unit / kSets * kWarpItems + lane_of_thread() / kQuarters, tile.items - 1);
  const long long at = tile.in_group(s, i);
  item.item_class = tile.group.item_class[at];
  load_quarter(tile.group.item_basis + at * kMostItemNodesPerClass, tile.points,
               lane_of_thread() % kQuarters, item.basis);
}

// For every item: the value at it of a function that is given at the nodes, at(s) of set s;
// use(s, i, value) by one lane of four. first: the warp's first unit.
template <int kSets, class At, class Use>
__device__ inline void at_items(const SetTile<kSets>& tile, const ItemQuarter& first, At at,
                                Use use) {
  const int quarter = lane_of_thread() % kQuarters;
  const int units = (tile.items + kWarpItems - 1) / kWarpItems * kSets;
  ItemQuarter item = first;
  for (int u = warp_of_thread(); u < units; u += kProductParts) {
    if (u >= kProductParts) fetch_item(tile, u, item);
    const int s = u % kSets;
    const int i = u / kSets * kWarpItems + lane_of_thread() / kQuarters;
    const double value = interpolate_quarter(item.basis, at(s) + item.item_class * tile.points,
                                             tile.points, quarter);
    if (quarter == 0 && i < tile.items && s < tile.count) use(s, i, value);
  }
}

// Sums over a set's items of share_i L_i at the nodes of their classes: store(s, node, sum) for all
// nodes of kSets sets. A warp has some classes of one set, a lane is a node of a class.
template <int kSets, class Store>
__device__ inline void gather_at_nodes(const SetTile<kSets>& tile, const float* shares,
                                       Store store) {
  static_assert(kProductParts % kSets == 0);
  constexpr int kWarpsOfSet = kProductParts / kSets;
  constexpr int kClasses = (kHeadClasses + kWarpsOfSet - 1) / kWarpsOfSet;
  const GroupMemory& group = tile.group;
  const int points = tile.points;
  const int lane = lane_of_thread();
  const int s = warp_of_thread() % kSets;
  const int first_class = warp_of_thread() / kSets;
  const int items = s < tile.count ? tile.items : 0;
  const std::uint8_t* item_class = group.item_class + tile.in_group(s, 0);
  // Lanes beyond the nodes go along with the last one.
  const double* basis =
      group.item_basis + tile.in_group(s, 0) * kMostItemNodesPerClass + min(lane, points - 1);
  float sums[kClasses] = {};
  for (int first = 0; first < items; first += kWarp) {
    const int own_class = first + lane < items ? item_class[first + lane] : kHeadClasses;
    unsigned members[kClasses];
#pragma unroll
    for (int m = 0; m < kClasses; ++m)
      members[m] = __ballot_sync(kAllLanes, own_class == first_class + m * kWarpsOfSet);
    // The next item of every class in turn, so that their reads overlap.
    for (unsigned left = kAllLanes; left != 0;) {
      left = 0;
#pragma unroll
      for (int m = 0; m < kClasses; ++m) {
        // No branch: a class without a further item takes a share of 0 from the first item.
        const bool more = members[m] != 0;
        const int i = more ? first + std::countr_zero(members[m]) : first;
        members[m] &= members[m] - 1;
        left |= members[m];
        const float share = shares[tile.in_tile(s, i)];
        sums[m] = fmaf(more ? share : 0.0f, static_cast<float>(basis[i * kMostItemNodesPerClass]),
                       sums[m]);
      }
    }
  }
#pragma unroll
  for (int m = 0; m < kClasses; ++m) {
    const int c = first_class + m * kWarpsOfSet;
    if (c < kHeadClasses && lane < points) store(s, c * points + lane, sums[m]);
  }
}

// Rows of the embedding that a warp has: nodes come in tens of fours.
static_assert(kHeadClasses * 4 % kProductParts == 0);
struct NodeRange {
  int first;
  int count;
};

__device__ inline NodeRange nodes_of_warp(int points) {
  const int count = kHeadClasses * points / kProductParts;
  return {warp_of_thread() * count, count};
}

// H at the nodes, [nodes, kWidth]: in global memory, or as every thread has copied its own share of
// it to shared memory.
template <bool kCopied>
struct NodeEmbedding {
  const float* rows;
};

// Begins to copy what the thread will need of H: all of it is on its way at once, without
// registers.
__device__ inline void begin_node_copy(const float* embedding, int points, float* copy) {
  const NodeRange range = nodes_of_warp(points);
  const int at = range.first * kWidth + kLaneChannels * lane_of_thread();
  for (int i = 0; i < range.count; ++i) {
    begin_copy(reinterpret_cast<const uint4*>(embedding + at + i * kWidth), true,
               reinterpret_cast<uint4*>(copy + at + i * kWidth));
  }
  end_batch();
}

// Rows of a warp's range at a lane's channels; 0 beyond its end.
template <int kSets>
inline constexpr int kRowsAhead = kWarp / kSets;
template <int kSets>
struct NodeRows {
  float4 h[kRowsAhead<kSets>];
};

template <int kSets>
__device__ inline void fetch_node_rows(const float* embedding, const NodeRange& range, int first,
                                       NodeRows<kSets>& rows) {
  const float* from = embedding + (range.first + first) * kWidth + kLaneChannels * lane_of_thread();
#pragma unroll
  for (int r = 0; r < kRowsAhead<kSets>; ++r) {
    rows.h[r] = first + r < range.count ? *reinterpret_cast<const float4*>(from + r * kWidth)
                                        : float4{0, 0, 0, 0};
  }
}

// Calls use(first, rows) for the rows of H that a warp has, some at a time. rows: the first of
// them, where they come from global memory.
template <int kSets, bool kCopied, class Use>
__device__ inline void for_each_rows(const NodeEmbedding<kCopied>& embedding,
                                     const NodeRange& range, NodeRows<kSets>& rows, Use use) {
  for (int first = 0; first < range.count; first += kRowsAhead<kSets>) {
    if (kCopied || first > 0) fetch_node_rows<kSets>(embedding.rows, range, first, rows);
    use(first);
  }
}

// Attention gathered at the nodes times H: a warp sums over its nodes.
template <int kSets, bool kCopied>
__device__ inline void pool_nodes(const SetTile<kSets>& tile,
                                  const NodeEmbedding<kCopied>& embedding,
                                  const SpectralShared<kSets>& shared, NodeRows<kSets>& rows,
                                  ProductShared<kSets>& product, RowSums<kSets>& pooled) {
  const NodeRange range = nodes_of_warp(tile.points);
  PartSums<kSets> sums = {};
  for_each_rows(embedding, range, rows, [&](int first) {
#pragma unroll
    for (int r = 0; r < kRowsAhead<kSets>; ++r) {
      if (first + r >= range.count) break;
#pragma unroll
      for (int s = 0; s < kSets; ++s)
        add_scaled(shared.nodes.at_nodes[s][range.first + first + r], rows.h[r], sums[s]);
    }
  });
  // What was gathered lies where the shares go.
  __syncthreads();
  store_part<kSets>(sums, product);
  join_parts(product, pooled);
}

// d / d pooled (rows of kProductStride in shared memory) times H transposed: to
// shared.nodes.at_nodes.
template <int kSets, bool kCopied>
__device__ inline void pool_nodes_backward(const SetTile<kSets>& tile,
                                           const NodeEmbedding<kCopied>& embedding,
                                           const float* pooled_gradient, NodeRows<kSets>& rows,
                                           SpectralShared<kSets>& shared) {
  const NodeRange range = nodes_of_warp(tile.points);
  const int lane = lane_of_thread();
  float4 gradient[kSets];
#pragma unroll
  for (int s = 0; s < kSets; ++s) {
    gradient[s] = *reinterpret_cast<const float4*>(pooled_gradient + s * kProductStride +
                                                   kLaneChannels * lane);
  }
  for_each_rows(embedding, range, rows, [&](int first) {
    float sums[kWarp];
#pragma unroll
    for (int r = 0; r < kRowsAhead<kSets>; ++r) {
      const float4 h = rows.h[r];
#pragma unroll
      for (int s = 0; s < kSets; ++s) {
        float& sum = sums[r * kSets + s];
        sum = h.x * gradient[s].x;
        sum = fmaf(h.y, gradient[s].y, sum);
        sum = fmaf(h.z, gradient[s].z, sum);
        sum = fmaf(h.w, gradient[s].w, sum);
      }
    }
    const float sum = warp_sums(sums);
    const int row = first + lane / kSets;
    if (row < range.count) shared.nodes.at_nodes[lane % kSets][range.first + row] = sum;
  });
}

// Attention of the tile and its pooled embedding.
template <int kSets, bool kCopied>
__device__ inline void spectral_pool(const SetTile<kSets>& tile,
                                     const NodeEmbedding<kCopied>& embedding,
                                     SpectralShared<kSets>& shared, ReadoutShared<kSets>& readout,
                                     RowSums<kSets>& pooled) {
  ItemQuarter items;
  fetch_item(tile, warp_of_thread(), items);
  const LaneLargest largest = lane_largest(tile);
  interpolate_queries(tile, shared);
  NodeRows<kSets> rows;
  if constexpr (!kCopied)
    fetch_node_rows<kSets>(embedding.rows, nodes_of_warp(tile.points), 0, rows);
  __syncthreads();
  at_items(
      tile, items, [&](int s) { return shared.nodes.set_logits[s]; },
      [&](int s, int i, double logit) { tile.attention.logits[tile.in_tile(s, i)] = logit; });
  softmax_tile(tile, largest, readout.labels);
  float* kept = tile.group.node_weights + static_cast<long long>(tile.set(0)) * kMostNodes;
  gather_at_nodes(tile, tile.attention.weights, [&](int s, int node, float weight) {
    shared.nodes.at_nodes[s][node] = weight;
    if (s < tile.count) kept[s * kMostNodes + node] = weight;
  });
  if constexpr (kCopied) wait_for_batches<0>();
  __syncthreads();
  pool_nodes(tile, embedding, shared, rows, readout.product, pooled);
}

// Back from d / d pooled to d / d set logits at the nodes.
template <int kSets, bool kCopied>
__device__ inline void spectral_pool_backward(const SetTile<kSets>& tile,
                                              const NodeEmbedding<kCopied>& embedding,
                                              const float* pooled_gradient,
                                              SpectralShared<kSets>& shared) {
  NodeRows<kSets> rows;
  if constexpr (!kCopied)
    fetch_node_rows<kSets>(embedding.rows, nodes_of_warp(tile.points), 0, rows);
  ItemQuarter items;
  fetch_item(tile, warp_of_thread(), items);
  pool_nodes_backward(tile, embedding, pooled_gradient, rows, shared);
  __syncthreads();
  at_items(
      tile, items, [&](int s) { return shared.nodes.at_nodes[s]; },
      [&](int s, int i, double gradient) {
        tile.attention.gradient[tile.in_tile(s, i)] = static_cast<float>(gradient);
      });
  softmax_backward_tile(tile);
  float* to = tile.group.set_logit_gradient + static_cast<long long>(tile.set(0)) * kMostNodes;
  gather_at_nodes(tile, tile.attention.gradient, [&](int s, int node, float gradient) {
    if (s < tile.count) to[s * kMostNodes + node] = gradient;
  });
}

}  // namespace dispersion
