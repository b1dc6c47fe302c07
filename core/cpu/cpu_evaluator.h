#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "core/attention/transforms.h"
#include "core/backend.h"
#include "core/cpu/thread_pool.h"

namespace dispersion {

// What is asked of one evaluation; outputs that are null are not computed.
struct EvaluationRequest {
  std::span<const AttentionTransform> transforms;
  std::vector<float>* logits = nullptr;  // [sets, items]
  // What says which item has the largest priority, where the head sees others: [sets, items]. Null:
  // the priorities of the sets.
  const float* true_priority = nullptr;
  // Looked at between the chunks of a set of more than 2^17 items, which alone takes a tenth of a
  // second or more.
  std::stop_token stop = {};
};

// An evaluation of the right size with nothing in it yet. Throws std::invalid_argument for a
// transform that is not valid.
SetEvaluation empty_evaluation(int classes, int sets, int items,
                               std::span<const AttentionTransform> transforms);

// Fills what the logits [items] of set `s` and its true priorities [items] say without any
// transform.
void note_logits(std::span<const float> logits, std::span<const float> true_priority, int s,
                 SetEvaluation& evaluation);

// Fills what the transforms did to set `s`, once its item with the largest priority is known.
// results: [transforms]; weights: [transforms, items].
void note_transforms(std::span<const TransformResult> results, const float* weights, int s,
                     SetEvaluation& evaluation);

// One head on many sets. Sets are dealt to the thread pool in groups whose size depends on the
// number of items alone; long sets are embedded in chunks, so that memory stays small. Throws
// Stopped after a request to `request.stop`.
SetEvaluation cpu_evaluate(const Parameters<float>& head, const ItemSetsView& sets,
                           const EvaluationRequest& request, ThreadPool& thread_pool);

}  // namespace dispersion
