#pragma once

#include <string_view>

#include "core/attention/adaptive_rule.h"

namespace dispersion {

enum class MapKind {
  kSoftmax,
  kAdaptive,
  kHard,  // the limit theta -> 0: equal weights on the largest logits, 0 elsewhere
};

// "softmax", "adaptive" or "hard": the stable names of machine output.
inline std::string_view map_name(MapKind kind) {
  switch (kind) {
    case MapKind::kSoftmax:
      return "softmax";
    case MapKind::kAdaptive:
      return "adaptive";
    case MapKind::kHard:
      break;
  }
  return "hard";
}

// How logits become weights: softmax(e / theta), or softmax(beta(H) e / theta) with H the entropy
// of softmax(e / theta), or the limit of infinite beta. The effective temperature is theta / beta.
struct AttentionMap {
  MapKind kind = MapKind::kSoftmax;
  double theta = 1;   // > 0
  AdaptiveRule rule;  // used by kAdaptive

  bool operator==(const AttentionMap&) const = default;
};

}  // namespace dispersion
