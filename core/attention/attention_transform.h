#pragma once

#include <array>
#include <type_traits>

#include "core/attention/adaptive_rule.h"

namespace dispersion {

// The ways in which logits become attention weights. transforms.cpp has a definition of each.
enum class TransformId : int {
  kSoftmax,
  kAdaptive,
  kHard,
  kLogN,
  kTopK,
  kSparsemax,
  kEntmax15,
};

inline constexpr int kMostTransformSettings = 2;

// A transform as a caller asks for it: plain data, so that CUDA kernels take it by value. The
// logits e are divided by theta first: weights = transform(e / theta).
struct AttentionTransform {
  TransformId id = TransformId::kSoftmax;
  double theta = 1;        // temperature, > 0; hard attention has none
  AdaptiveRule rule = {};  // used by kAdaptive
  // What else the transform has, in the order of its definition's settings.
  std::array<double, kMostTransformSettings> settings = {};

  bool operator==(const AttentionTransform&) const = default;
};
static_assert(std::is_trivially_copyable_v<AttentionTransform>);

}  // namespace dispersion
