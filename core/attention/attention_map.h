#pragma once

#include <string_view>

#include "core/attention/adaptive_rule.h"

namespace dispersion {

enum class MapKind { kSoftmax, kAdaptive };

// "softmax" or "adaptive": the stable names of machine output.
inline std::string_view map_name(MapKind kind) {
  return kind == MapKind::kSoftmax ? "softmax" : "adaptive";
}

// How logits become weights: softmax(e / theta), or softmax(beta(H) e / theta) with H the entropy
// of softmax(e / theta). The effective temperature is theta / beta.
struct AttentionMap {
  MapKind kind = MapKind::kSoftmax;
  double theta = 1;   // > 0
  AdaptiveRule rule;  // used by kAdaptive

  bool operator==(const AttentionMap&) const = default;
};

}  // namespace dispersion
