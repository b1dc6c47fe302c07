#pragma once

#include <cstdint>

#include "core/attention/attention_transform.h"
#include "gpu/kernels/group_memory.h"

namespace dispersion {

inline constexpr int kMostTransforms = 8;

// A block takes this many items of one set.
inline constexpr int kChunkItems = 4096;
constexpr int chunks(int items) {
  return (items + kChunkItems - 1) / kChunkItems;
}

// Sums of weights are kept as whole multiples of this, so that their order does not matter and they
// are exact: a weight is at most 1, and there are at most 2^24 of them.
inline constexpr double kWeightUnit = 0x1p-38;

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
};

// What a chunk of a set knows of itself; merged in order.
struct ChunkScore {
  float largest;       // logit, without the set's constant
  float smallest;      // logit
  int largest_items;   // how many have it
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
  int largest_items;
  int priority_item;
  int priority_items;
  int label;
  double constant;  // what all logits lack
  double beta[kMostTransforms];
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
  ChunkScore* chunk_scores;           // [sets, chunks]
  ChunkPool* chunk_pools;             // [sets, chunks]
  SetScore* set_scores;               // [sets]
  float* score_vectors;               // direct path, [sets, kWidth]
  float* score_offsets;               // direct path, [sets]
  unsigned long long* moments;        // spectral path, [sets, transforms, classes, cells, 4]
  float* chunk_pooled;                // direct path, [sets, chunks, transforms, kWidth]
  float* weight_on_max;               // not yet divided by the sum, [sets, transforms]
  float* pooled;                      // [sets, transforms, kWidth]
  float* logits;                      // [sets, items], or null
  SetResult* results;                 // [sets]
  TransformScore* transform_results;  // [sets, transforms]
};

}  // namespace dispersion
