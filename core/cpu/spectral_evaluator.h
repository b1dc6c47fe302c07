#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/backend.h"
#include "core/cpu/cpu_evaluator.h"
#include "core/cpu/thread_pool.h"
#include "core/head/activations.h"
#include "core/precision/rounding.h"
#include "core/spectral/item_logits.h"

namespace dispersion {

// Evaluates heads by the spectral path. Keeps the tables of the last head, so that many calls for
// one head make them once.
class SpectralEvaluator {
 public:
  // The points that the head needs; not spectral(): this evaluator cannot take it.
  SpectralPoints points(const Parameters<float>& head);

  // As cpu_evaluate, for a head whose points are spectral.
  SetEvaluation evaluate(const Parameters<float>& head, const ItemSetsView& sets,
                         const EvaluationRequest& request, ThreadPool& thread_pool);

  // The same on sets that are drawn where they are needed; `labels` is set to theirs, [sets]. The
  // head sees rounded priorities; labels and largest priorities come from unrounded ones.
  SetEvaluation evaluate_drawn(const Parameters<float>& head, const DrawnSets& drawn,
                               std::span<const AttentionTransform> transforms,
                               Rounding priority_rounding, ThreadPool& thread_pool,
                               std::vector<std::int32_t>& labels);

 private:
  // Work space of one thread.
  struct Space {
    ItemSets drawn;
    std::vector<float> rounded;  // priorities of `drawn`, where they are rounded
    ItemLogits items;
    Activations<float> activations;
    AlignedBuffer<float> logits;   // [items]
    AlignedBuffer<float> weights;  // [transforms, items]
    std::vector<TransformResult> transform_results;
    // Rows of the group that differ: where an adaptive transform leaves beta at 1, its row is that
    // of the plain transform.
    int rows = 0;
    std::vector<int> row_of;            // [sets of the group, transforms]
    AlignedBuffer<float> node_weights;  // [rows, nodes]
    std::vector<Pooling> pooled;        // rows of one set that are pooled together
  };
  struct Job {
    const Parameters<float>& head;
    std::span<const AttentionTransform> transforms;
    std::vector<float>* logits;
    SetEvaluation& result;
  };
  // Sets that share the products of their readout.
  struct Group {
    ItemSetsView sets;           // as the head sees them
    const float* true_priority;  // what says which is the largest, [sets, items]
    int first;                   // the number of the first set in the evaluation
  };

  void prepare(const Parameters<float>& head);
  void evaluate_group(const Job& job, const Group& group, Space& space) const;
  void evaluate_set(const Job& job, const Group& group, int s, Space& space) const;
  void pool(const Job& job, std::size_t items, Space& space) const;
  void classify(const Job& job, int first, int count, Space& space) const;

  std::optional<Parameters<float>> head_;  // that the rest belongs to
  SpectralPoints points_;
  std::optional<SpectralTables> tables_;
  std::vector<Space> spaces_;  // [threads]
};

}  // namespace dispersion
