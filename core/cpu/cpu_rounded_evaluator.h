#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/attention/transforms.h"
#include "core/backend.h"
#include "core/cpu/item_table.h"
#include "core/cpu/thread_pool.h"

namespace dispersion {

// Evaluates heads with rounding on sets that it draws itself; labels and the item with the largest
// priority come from unrounded priorities. Keeps the items' table of the newest head from call to
// call.
class CpuRoundedEvaluator {
 public:
  // `precision` other than kFloat; `labels` is set to those of the sets. What a set gives depends
  // neither on the sets beside it nor on the number of threads. Throws Stopped after a request to
  // `stop`, for precisions that do not round products.
  SetEvaluation evaluate(const Parameters<float>& head, const DrawnSets& drawn,
                         std::span<const AttentionTransform> transforms, Precision precision,
                         ThreadPool& thread_pool, std::vector<std::int32_t>& labels,
                         const std::stop_token& stop = {});

  // Query and readout layers run on this many sets at a time, the last ones filled up, so that a
  // set's numbers do not depend on how many there are. (A multiple of 24: core/cpu/item_table.h.)
  static constexpr int kSetsPerChunk = 48;

 private:
  // Work space of one thread.
  struct Space {
    ItemSets drawn;
    RoundedActivations activations;
    AlignedBuffer<float> row_logits;       // of every row of the table, [rows]
    AlignedBuffer<float> logits;           // [items]
    AlignedBuffer<float> weights;          // [transforms, items]
    std::vector<TransformResult> results;  // [transforms]
  };

  void draw(const DrawnSets& drawn, ThreadPool& thread_pool);
  SetEvaluation evaluate_products(const Parameters<float>& head,
                                  std::span<const AttentionTransform> transforms, Rounding rounding,
                                  ThreadPool& thread_pool);
  void prepare_queries(int chunk, Space& space);
  void score_set(int set, Space& space, std::span<float> logits) const;
  void pool_set(int set, std::span<const AttentionTransform> transforms, Space& space,
                SetEvaluation& result);
  void classify(int transform, int chunk, Space& space, SetEvaluation& result);

  ItemSets sets_;
  ItemTable table_;
  std::vector<std::int32_t> rows_;  // of the table, [sets, items]
  AlignedBuffer<float> queries_;    // [sets in whole chunks, width]
  AlignedBuffer<float> pooled_;     // [transforms, sets in whole chunks, width], rounded
  std::vector<Space> spaces_;       // [threads]
};

}  // namespace dispersion
