#pragma once

#include <span>
#include <vector>

#include "core/backend.h"
#include "core/cpu/task_team.h"

namespace dispersion {

// What is asked of one evaluation; outputs that are null are not computed.
struct EvaluationRequest {
  std::span<const AttentionMap> maps;
  std::vector<float>* logits = nullptr;  // [sets, items]
};

// One head on many sets. Sets are dealt to the team in groups whose size depends on the number of
// items alone; long sets are embedded in chunks, so that memory stays small.
SetEvaluation cpu_evaluate(const Parameters<float>& head, const ItemSetsView& sets,
                           const EvaluationRequest& request, TaskTeam& team);

}  // namespace dispersion
