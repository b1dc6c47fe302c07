#pragma once

#include <cstddef>
#include <cstdint>

#include "core/head/parameters.h"
#include "core/head/recipe.h"
#include "core/host_device.h"

namespace dispersion {

// The kernels are compiled for the paper's head: their threads are its channels.
inline constexpr int kWidth = 128;
inline constexpr int kHeadClasses = 10;
inline constexpr HeadShape kHeadShape = {kWidth, kHeadClasses};

// parameter_layout(kHeadShape) at compile time (a test compares them).
DISPERSION_HOST_DEVICE constexpr int tensor_rows(TensorId id) {
  if (id == TensorId::kItem0Kernel) return 1 + kHeadClasses;
  if (id == TensorId::kQuery0Kernel) return 1;
  return static_cast<int>(id) % 2 == 0 ? kWidth : 1;
}

DISPERSION_HOST_DEVICE constexpr int tensor_columns(TensorId id) {
  return id >= TensorId::kReadout1Kernel ? kHeadClasses : kWidth;
}

DISPERSION_HOST_DEVICE constexpr int tensor_size(TensorId id) {
  return tensor_rows(id) * tensor_columns(id);
}

DISPERSION_HOST_DEVICE constexpr int tensor_offset(TensorId id) {
  int offset = 0;
  for (int i = 0; i < static_cast<int>(id); ++i)
    offset += tensor_size(static_cast<TensorId>(i));
  return offset;
}

inline constexpr int kParameters =
    tensor_offset(TensorId::kReadout1Bias) + tensor_size(TensorId::kReadout1Bias);
// From one head's parameters to the next head's on the device: reads of four floats stay aligned.
inline constexpr int kParameterStride = (kParameters + 31) / 32 * 32;

// The square kernels, which are also kept transposed: the way back through a layer reads them by
// columns. In this order.
inline constexpr int kSquareKernels = 7;
DISPERSION_HOST_DEVICE constexpr int square_kernel(TensorId id) {
  switch (id) {
    case TensorId::kItem1Kernel:
      return 0;
    case TensorId::kQuery1Kernel:
      return 1;
    case TensorId::kQueryKernel:
      return 2;
    case TensorId::kKeyKernel:
      return 3;
    case TensorId::kValueKernel:
      return 4;
    case TensorId::kOutKernel:
      return 5;
    case TensorId::kReadout0Kernel:
      return 6;
    default:
      return -1;
  }
}

// A bias lies behind its kernel, as one more row of it.
static_assert([] {
  for (int id = 0; id < kTensorCount; id += 2) {
    const auto kernel = static_cast<TensorId>(id);
    if (tensor_offset(static_cast<TensorId>(id + 1)) != tensor_offset(kernel) + tensor_size(kernel))
      return false;
  }
  return true;
}());

// Where the square kernel of that number lies among the parameters: all but the first follow one
// another, each with its bias.
DISPERSION_HOST_DEVICE constexpr int square_offset(int square) {
  constexpr int kItem = tensor_offset(TensorId::kItem1Kernel);
  constexpr int kOthers = tensor_offset(TensorId::kQuery1Kernel);
  return square == 0 ? kItem : kOthers + (square - 1) * (kWidth + 1) * kWidth;
}
static_assert([] {
  for (int id = 0; id < kTensorCount; ++id) {
    const int square = square_kernel(static_cast<TensorId>(id));
    if (square >= 0 && square_offset(square) != tensor_offset(static_cast<TensorId>(id)))
      return false;
  }
  return true;
}());

inline constexpr int kMostItemNodesPerClass = 32;
inline constexpr int kMostQueryNodes = 16;
inline constexpr int kMostNodes = kHeadClasses * kMostItemNodesPerClass;

// The item tensors come first in the flat buffer. Their gradients are sums over many rows, which
// are cut into this many parts, each of several blocks (weight_gradients.cu).
inline constexpr int kItemParameters = tensor_offset(TensorId::kQuery0Kernel);
inline constexpr int kItemParts = 4;

// A square kernel is cut into slabs of this many rows.
inline constexpr int kSlabRows = 8;
inline constexpr int kSlabs = kWidth / kSlabRows;
inline constexpr int kUpdateBlocks = kSquareKernels * kSlabs + kTensorCount;

// Rows that a block takes to a product (block_product.cuh): of the networks, of the query network
// on the way back, and nodes whose gradients are summed over the sets.
inline constexpr int kNetworkRows = 4;
inline constexpr int kQueryRows = 2;
inline constexpr int kNodeRows = 8;
inline constexpr int kNodeTiles = kMostNodes / kNodeRows;
template <int kRows>
constexpr unsigned row_tiles(int rows) {
  return static_cast<unsigned>((rows + kRows - 1) / kRows);
}

inline constexpr int kMostHeads = 1 << 16;

// Chebyshev points of one head and their barycentric weights (core/spectral/chebyshev.h). Count 0:
// the head takes the direct path.
struct NodeTable {
  int count = 0;
  float point[kMostItemNodesPerClass] = {};
  double weight[kMostItemNodesPerClass] = {};
};

struct HeadNodes {
  NodeTable items;
  NodeTable queries;
};

// One training step of one head, for the host.
struct StepReport {
  std::int64_t step;
  float cross_entropy;  // mean over the batch, nats
  float l2;
  float accuracy;
};

// Adam's bias corrections of the moments in a step (core/head/optimiser.h).
struct AdamCorrections {
  float first;
  float second;
};

// Indices within the arrays of one head are int; a head's place in them is found in 64 bits. What a
// recipe admits keeps them so: its longest arrays are [rows, kWidth], a row an item, and [sets,
// kMostNodes]. (Items and sets are also counted over all heads; 2^31 items would take terabytes.)
static_assert(std::int64_t{kMostBatchItems} * kWidth <= INT32_MAX);
static_assert(std::int64_t{kMostBatchItems} * kMostItemNodesPerClass <= INT32_MAX);
static_assert(std::int64_t{kMostBatchSets} * kMostNodes <= INT32_MAX);
static_assert(std::int64_t{kMostBatchSets} * kWidth <= INT32_MAX);

// What all heads of a group share, by value in every launch.
struct GroupRecipe {
  int sets = 0;  // of a batch
  int smallest_set = 0;
  int largest_set = 0;
  // Of l2_terms(recipe, is_kernel), [kernels, biases]:
  float l2_gradient[2] = {};
  float l2_decay[2] = {};
  double l2_loss[2] = {};
  // Of AdamStep (core/head/optimiser.h):
  float first_keeps = 0;  // a moment m <- keeps m + takes g
  float first_takes = 0;
  float second_keeps = 0;  // likewise of g^2
  float second_takes = 0;
  float rate = 0;
  float epsilon = 0;
};

// Device memory of a group of heads in training. Everything is [heads, ...]; a head's block finds
// its part through blockIdx.y and touches no other. "rows" are the items of a batch on the direct
// path and the nodes (class by class) on the spectral one; "query rows" sets or query nodes.
struct GroupMemory {
  int heads = 0;
  int rows = 0;        // most rows a head can have
  int query_rows = 0;  // most query rows
  // Whether some head takes the direct path, whose rows are the items of the batch. Where none
  // does, blocks are launched for the nodes only (launched_rows).
  bool any_direct = true;
  GroupRecipe recipe;

  const std::uint32_t* seed;  // [heads]
  std::int64_t* step;         // steps done, [heads]
  // 0; once a gradient is not finite, kMostHeads - its head (the first, if several). From then on
  // nothing is computed or updated.
  int* failed;
  // The same once an update made a weight or moment that is not finite. The weights of that step
  // are of no use; the host takes back those of `kept`.
  int* overflowed;
  int* arrived;      // blocks of a step's last kernel that are through
  HeadNodes* nodes;  // [heads]

  AdamCorrections* corrections;  // of a step at step % ring, [heads, ring]
  float* parameters;             // [heads, kParameterStride]
  float* first_moment;           // [heads, kParameterStride]
  float* second_moment;          // [heads, kParameterStride]
  float* kept;                   // copies of these three, one after the other, of an earlier step
  float* transposed;             // [heads, kSquareKernels, kWidth, kWidth]
  float* gradient;               // all but the item tensors', [heads, kParameterStride]
  float* item_gradient;  // sums over parts of the rows, [heads, kItemParts, kItemParameters]

  // What the networks run at: [heads, rows] and [heads, query rows].
  float* row_priority;
  std::uint8_t* row_class;
  float* row_query;

  // Item network, [heads, rows, kWidth] each.
  float* item_hidden;
  float* item_hidden_slope;
  float* embedding;        // H
  float* embedding_slope;  // then d / d (second layer before GELU)
  float* hidden_gradient;  // d / d (first layer before GELU)

  // Query network, [heads, query rows, kWidth] each.
  float* query_hidden;
  float* query_hidden_slope;
  float* query_vector;
  float* query_projection;
  float* score_vector;         // u
  float* score_gradient;       // d / d u, scaled by 1 / sqrt(width)
  float* projection_gradient;  // d / d projection
  float* vector_gradient;      // d / d vector
  float* query_gradient;       // d / d (first query layer before GELU)

  // Of the sets of a batch; most_items = recipe.largest_set.
  double* item_basis;   // [heads, sets, most_items, kMostItemNodesPerClass]
  double* query_basis;  // [heads, sets, kMostQueryNodes]
  double* node_logits;  // U H^T, [heads, kMostQueryNodes, kMostNodes]
  // Attention by item, [heads, sets, most_items], of sets too large for a block's shared memory.
  double* item_logits;
  float* weights;
  float* weight_gradient;     // then d / d logits
  float* node_weights;        // [heads, sets, kMostNodes]
  float* set_logit_gradient;  // [heads, sets, kMostNodes]
  // Shares of tiles of nodes in d / d u, [heads, kNodeTiles, kMostQueryNodes, kWidth]; sums of H
  // and of d / d (U H^T) over the tiles, [heads, kNodeTiles, kWidth] and [heads, kNodeTiles,
  // kMostQueryNodes].
  double* score_parts;
  double* embedding_sums;
  double* logit_gradient_sums;
  float* priority;           // [heads, sets, most_items]
  std::uint8_t* item_class;  // [heads, sets, most_items]

  // Readout, [heads, sets, kWidth] each unless said otherwise.
  float* pooled;
  float* values;
  float* attended;
  float* readout_hidden;
  float* class_gradient;     // d / d class logits, [heads, sets, kHeadClasses]
  float* readout_gradient;   // d / d (readout layer before GELU)
  float* attended_gradient;  // d / d attended
  float* values_gradient;    // d / d values
  float* pooled_gradient;    // d / d pooled
  float* set_loss;           // cross-entropy of a set, [heads, sets]
  int* set_correct;          // [heads, sets]
  double* squares;           // sums of w^2 times their L2 loss, [heads, kUpdateBlocks]

  int ring = 0;         // steps
  StepReport* reports;  // in pinned memory; a step is kept at step % ring, [heads, ring]
};

// Rows of the item network, and query rows, that blocks are launched for.
inline int launched_rows(const GroupMemory& group) {
  return group.any_direct ? group.rows : kMostNodes;
}
inline int launched_query_rows(const GroupMemory& group) {
  return group.any_direct ? group.query_rows : kMostQueryNodes;
}

}  // namespace dispersion
