#pragma once

#include <cstdint>
#include <limits>

#include "core/attention/attention_transform.h"
#include "gpu/kernels/group_memory.h"
#include "gpu/runtime/most_blocks.h"

namespace dispersion {

inline constexpr int kMostTransforms = 8;

// Sets, or sets under a transform, that a block makes tables for or takes to a product at a time.
inline constexpr int kTileRows = 8;

// One call takes this many sets and items at most, or one set.
inline constexpr int kMostSets = 2048;
inline constexpr int kMostItems = 1 << 24;

// A block takes a chunk of the items of one set at a time. On the spectral path a thread keeps its
// items in registers; on the direct path they pass through the network in tiles, so that a chunk
// as long would hold its multiprocessor for 3 ms.
inline constexpr int kItemsPerThread = 8;
inline constexpr int kMostChunkThreads = 512;
inline constexpr int kChunkItems = kItemsPerThread * kMostChunkThreads;
inline constexpr int kDirectChunkItems = 256;
constexpr int chunks(int items, int chunk_items) {
  return (items + chunk_items - 1) / chunk_items;
}
// Sets of one call times their chunks, and that times the transforms and channels of one: int
// holds them.
static_assert((kMostItems / kDirectChunkItems + kMostSets) <= (1 << 30) / kMostTransforms / kWidth);

// Sums of weights are kept as whole multiples of this, so that their order does not matter and they
// are exact: a weight is at most 1, and there are at most kMostItems of them.
inline constexpr int kWeightBits = 38;
inline constexpr double kWeightUnit = 0x1p-38;
static_assert(kMostItems <= (1 << (64 - kWeightBits - 1)));

// A head for evaluation, in device memory. `items.count` 0: on the direct path, without tables.
struct EvaluationHead {
  const float* parameters;      // [kParameters]
  const float* key_transposed;  // [kWidth, kWidth]
  // As SpectralTables (core/spectral/spectral_tables.h).
  NodeTable items;
  NodeTable queries;
  double middle[kMostQueryNodes];
  const double* node_logits;  // [query nodes, nodes]
  const float* embedding;     // [nodes, kWidth]
  int cells;
  const double* cell_logits;  // [query nodes, classes, cells, 4]
  const float* cell_matrix;   // [4 cells, item nodes]
};

// Whether the spectral path is taken.
DISPERSION_HOST_DEVICE inline bool is_spectral(const EvaluationHead& head) {
  return head.items.count > 0;
}

// Chunks of a set.
constexpr int chunks(bool spectral, int items) {
  return chunks(items, spectral ? kChunkItems : kDirectChunkItems);
}

// 1 / theta or beta / theta in float, above 0 and finite also for a theta whose inverse is not:
// then minus infinity and 0 times it are minus infinity and 0.
DISPERSION_HOST_DEVICE inline float finite_scale(double scale) {
  constexpr float kLeast = std::numeric_limits<float>::min();
  constexpr float kMost = std::numeric_limits<float>::max();
  if (scale < static_cast<double>(kLeast)) return kLeast;
  return scale > static_cast<double>(kMost) ? kMost : static_cast<float>(scale);
}

// Sets first_set .. of a stream, or given ones.
struct EvaluationSets {
  int sets = 0;
  int items = 0;
  std::uint32_t seed = 0;  // of drawn sets
  std::uint32_t first_set = 0;
  const float* priority = nullptr;  // of given sets, [sets, items]; null: drawn
  const std::uint8_t* item_class = nullptr;
  const float* query = nullptr;  // [sets]
};

// The transforms asked for.
struct EvaluationTransforms {
  int count = 0;
  AttentionTransform transform[kMostTransforms];
  float inverse_theta[kMostTransforms];
};

// What a chunk of a set knows of itself; merged in order.
struct ChunkScore {
  float largest;       // logit, without the set's constant
  float smallest;      // logit
  float priority;      // the largest
  int priority_item;   // the first with it
  int priority_items;  // how many have it
  int priority_class;  // of the first
  // Of exp(t) and exp(t) t with t = (e - largest) / theta of a transform.
  double sum[kMostTransforms];
  double weighted_sum[kMostTransforms];
};

// What a chunk adds when the whole set's largest logit is known.
struct ChunkPool {
  // Of exp(t) and exp(t) t with t = beta (e - largest) / theta.
  double sum[kMostTransforms];
  double weighted_sum[kMostTransforms];
  double best_logit;  // in double, of the items that may have the largest
  int best_item;
};

// One set.
struct SetScore {
  float largest;
  float smallest;
  int priority_item;
  int priority_items;
  int label;
  double constant;  // what all logits lack
  float doubtful;   // logits from here on may be the largest in truth
  double beta[kMostTransforms];
  float scale[kMostTransforms];  // beta / theta
};

// Results of a set under a transform.
struct TransformScore {
  float entropy;
  float beta;
  float weight_on_max;
  int predicted;
  float class_logits[kHeadClasses];
};

// Results of a set.
struct SetResult {
  float logit_max;
  float logit_min;
  int argmax_logit;
  int argmax_priority;
  int largest_priorities;  // how many items share it
  int label;
};

// Device memory of an evaluation of `sets.sets` sets.
struct EvaluationMemory {
  EvaluationSets sets;
  EvaluationTransforms transforms;
  // Of a launch whose blocks are long; a block takes one piece of work after another.
  int most_blocks = kAnyBlocks;
  // Spectral path, for every set's query:
  float* cubics;                // of the logits, less what all share, [sets, classes, cells, 4]
  double* node_logits;          // likewise, [sets, nodes]
  double* constants;            // what all logits of the set share, [sets]
  ChunkScore* chunk_scores;     // [sets, chunks]
  ChunkPool* chunk_pools;       // [sets, chunks]
  SetScore* set_scores;         // [sets]
  float* score_vectors;         // direct path, [sets, kWidth]
  float* score_offsets;         // direct path, [sets]
  unsigned long long* moments;  // spectral path, [sets, transforms, 4, classes, cells]
  float* chunk_pooled;          // direct path, [sets, chunks, transforms, kWidth]
  float* weight_on_max;         // not yet divided by the sum, [sets, transforms]
  double* weight_sums;          // [sets, transforms]
  float* pooled;                // [sets, transforms, kWidth]
  float* logits;                // [sets, items], or null
  SetResult* results;           // [sets]
  TransformScore* transform_results;  // [sets, transforms]
};

// How many blocks take `pieces` pieces of work, and how many, [of a set, sets], the chunks.
constexpr int blocks_for(const EvaluationMemory& memory, int pieces) {
  return pieces < memory.most_blocks ? pieces : memory.most_blocks;
}
struct ChunkBlocks {
  int of_set;
  int sets;
};
constexpr ChunkBlocks chunk_blocks(const EvaluationMemory& memory, int chunk_items) {
  const int of_set = blocks_for(memory, chunks(memory.sets.items, chunk_items));
  const int sets = memory.most_blocks / of_set;
  return {of_set, memory.sets.sets < sets ? memory.sets.sets : sets};
}

}  // namespace dispersion
