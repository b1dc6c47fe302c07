#pragma once

#include <bit>

#include "gpu/kernels/lagrange_quarter.cuh"
#include "gpu/kernels/set_tile.cuh"
#include "gpu/kernels/warp_sums.cuh"

namespace dispersion {

// Attention of a tile of sets on the spectral path, from the embedding at the nodes and from items
// and queries that are drawn and interpolated at already (node_logits.cu).

template <int kSets>
struct SpectralShared {
  double query_basis[kSets][kMostQueryNodes];
  union {
    double set_logits[kSets][kMostNodes];
    // Attention gathered at the nodes, then the gradient with respect to it.
    float at_nodes[kSets][kMostNodes];
  };
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
  const int queries = group.nodes[tile.head].queries.count;
  const int nodes = kHeadClasses * group.nodes[tile.head].items.count;
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
#pragma unroll
    for (int q = 0; q < kMostQueryNodes; ++q) {
      if (q >= queries) break;
#pragma unroll
      for (int s = 0; s < kSets; ++s)
        sums[s] = fma(shared.query_basis[s][q], column.value[q], sums[s]);
    }
#pragma unroll
    for (int s = 0; s < kSets; ++s)
      shared.set_logits[s][node] = sums[s];
  }
}

// For every item: the value at it of a function that is given at the nodes, at(s) of set s;
// use(s, i, value) by one lane of four. A warp has eight items of a set at a time.
template <int kSets, class At, class Use>
__device__ inline void at_items(const SetTile<kSets>& tile, At at, Use use) {
  constexpr int kWarpItems = kWarp / kQuarters;
  const GroupMemory& group = tile.group;
  const int points = group.nodes[tile.head].items.count;
  const int quarter = lane_of_thread() % kQuarters;
  const int units = (tile.items + kWarpItems - 1) / kWarpItems * kSets;
  for (int u = warp_of_thread(); u < units; u += kProductParts) {
    const int s = u % kSets;
    if (s >= tile.count) continue;
    const int i = u / kSets * kWarpItems + lane_of_thread() / kQuarters;
    const long long item = tile.in_group(s, min(i, tile.items - 1));
    LagrangeQuarter<kMostItemNodesPerClass> basis;
    load_quarter(group.item_basis + item * kMostItemNodesPerClass, points, quarter, basis);
    const double value =
        interpolate_quarter(basis, at(s) + group.item_class[item] * points, points, quarter);
    if (quarter == 0 && i < tile.items) use(s, i, value);
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
  const int points = group.nodes[tile.head].items.count;
  const int lane = lane_of_thread();
  const int s = warp_of_thread() % kSets;
  const int first_class = warp_of_thread() / kSets;
  const int items = s < tile.count ? tile.items : 0;
  const std::uint8_t* item_class = group.item_class + tile.in_group(s, 0);
  const double* basis = group.item_basis + tile.in_group(s, 0) * kMostItemNodesPerClass + lane;
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
        if (members[m] == 0) continue;
        const int i = first + std::countr_zero(members[m]);
        members[m] &= members[m] - 1;
        left |= members[m];
        if (lane < points) {
          sums[m] = fmaf(shares[tile.in_tile(s, i)],
                         static_cast<float>(basis[i * kMostItemNodesPerClass]), sums[m]);
        }
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

// Row `row` of the range at a lane's channels; 0 beyond.
__device__ inline float4 embedding_row(const float* embedding, const NodeRange& range, int row) {
  return row < range.count
             ? *reinterpret_cast<const float4*>(embedding + (range.first + row) * kWidth +
                                                kLaneChannels * lane_of_thread())
             : float4{0, 0, 0, 0};
}

// Attention gathered at the nodes times H: a warp sums over its nodes.
template <int kSets>
__device__ inline void pool_nodes(const SetTile<kSets>& tile, const SpectralShared<kSets>& shared,
                                  ProductShared<kSets>& product, RowSums<kSets>& pooled) {
  constexpr int kAhead = 10;
  const GroupMemory& group = tile.group;
  const float* embedding = of_head(group.embedding, tile.head, group.rows * kWidth);
  const NodeRange range = nodes_of_warp(group.nodes[tile.head].items.count);
  PartSums<kSets> sums = {};
  for (int first = 0; first < range.count; first += kAhead) {
    float4 h[kAhead];
#pragma unroll
    for (int r = 0; r < kAhead; ++r)
      h[r] = embedding_row(embedding, range, first + r);
#pragma unroll
    for (int r = 0; r < kAhead; ++r) {
      if (first + r >= range.count) break;
#pragma unroll
      for (int s = 0; s < kSets; ++s)
        add_scaled(shared.at_nodes[s][range.first + first + r], h[r], sums[s]);
    }
  }
  store_part<kSets>(sums, product);
  join_parts(product, pooled);
}

// d / d pooled (rows of kProductStride in shared memory) times H transposed: to shared.at_nodes.
template <int kSets>
__device__ inline void pool_nodes_backward(const SetTile<kSets>& tile, const float* pooled_gradient,
                                           SpectralShared<kSets>& shared) {
  constexpr int kAhead = kWarp / kSets;
  const GroupMemory& group = tile.group;
  const float* embedding = of_head(group.embedding, tile.head, group.rows * kWidth);
  const NodeRange range = nodes_of_warp(group.nodes[tile.head].items.count);
  const int lane = lane_of_thread();
  float4 gradient[kSets];
#pragma unroll
  for (int s = 0; s < kSets; ++s) {
    gradient[s] = *reinterpret_cast<const float4*>(pooled_gradient + s * kProductStride +
                                                   kLaneChannels * lane);
  }
  for (int first = 0; first < range.count; first += kAhead) {
    float4 h[kAhead];
#pragma unroll
    for (int r = 0; r < kAhead; ++r)
      h[r] = embedding_row(embedding, range, first + r);
    float sums[kWarp];
#pragma unroll
    for (int r = 0; r < kAhead; ++r) {
#pragma unroll
      for (int s = 0; s < kSets; ++s) {
        float& sum = sums[r * kSets + s];
        sum = h[r].x * gradient[s].x;
        sum = fmaf(h[r].y, gradient[s].y, sum);
        sum = fmaf(h[r].z, gradient[s].z, sum);
        sum = fmaf(h[r].w, gradient[s].w, sum);
      }
    }
    const float sum = warp_sums(sums);
    const int row = first + lane / kSets;
    if (row < range.count) shared.at_nodes[lane % kSets][range.first + row] = sum;
  }
}

// Attention of the tile and its pooled embedding.
template <int kSets>
__device__ inline void spectral_pool(const SetTile<kSets>& tile, SpectralShared<kSets>& shared,
                                     ProductShared<kSets>& product, int* labels,
                                     RowSums<kSets>& pooled) {
  interpolate_queries(tile, shared);
  __syncthreads();
  at_items(
      tile, [&](int s) { return shared.set_logits[s]; },
      [&](int s, int i, double logit) { tile.attention.logits[tile.in_tile(s, i)] = logit; });
  softmax_tile(tile, labels);
  float* kept = tile.group.node_weights + static_cast<long long>(tile.set(0)) * kMostNodes;
  gather_at_nodes(tile, tile.attention.weights, [&](int s, int node, float weight) {
    shared.at_nodes[s][node] = weight;
    if (s < tile.count) kept[s * kMostNodes + node] = weight;
  });
  __syncthreads();
  pool_nodes(tile, shared, product, pooled);
}

// Back from d / d pooled to d / d set logits at the nodes.
template <int kSets>
__device__ inline void spectral_pool_backward(const SetTile<kSets>& tile,
                                              const float* pooled_gradient,
                                              SpectralShared<kSets>& shared) {
  pool_nodes_backward(tile, pooled_gradient, shared);
  __syncthreads();
  at_items(
      tile, [&](int s) { return shared.at_nodes[s]; },
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
