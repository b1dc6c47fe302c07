#include "app/session/settings.h"

namespace dispersion {

// The rule stays out, so that plain softmax does not change with it.
AttentionMap plain_map(const ViewSettings& settings) {
  return {.kind = MapKind::kSoftmax, .theta = settings.theta, .rule = {}};
}

AttentionMap adaptive_map(const ViewSettings& settings) {
  return {.kind = MapKind::kAdaptive, .theta = settings.theta, .rule = settings.rule};
}

}  // namespace dispersion
