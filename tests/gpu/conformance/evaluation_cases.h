#pragma once

#include <string>
#include <vector>

#include "core/attention/attention_transform.h"
#include "tests/gpu/conformance/conformance.h"

namespace dispersion {

// By which function and path.
enum class Asked { kLogits, kGiven, kGivenWithLogits, kDrawn, kDrawnDirect };

// Transforms that are asked for together.
struct TransformMix {
  std::string name;  // in the names of cases
  std::vector<AttentionTransform> transforms;
};
// Of those that a device takes: each alone, plain beside adaptive, and more than kernels have room
// for at once.
const std::vector<TransformMix>& device_mixes();

struct EvaluationCase {
  Asked asked = Asked::kGiven;
  HeadKind head = HeadKind::kShipped;
  TransformMix mix = {};
  int items = 1;
  int sets = 1;

  std::string name() const;
};
// By pairwise cover over what a device computes, and what is not to be crossed with it: logits and
// no transforms, which ask for less, and heads and transforms that are left to the CPU.
const std::vector<EvaluationCase>& evaluation_cases();

}  // namespace dispersion
