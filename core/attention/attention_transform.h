#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
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

// A tensor that a transform learns along with the head, [rows, columns] row-major. It lies behind
// the tensors that every head has, in parameters, gradients, Adam moments and checkpoints.
struct LearnedTensor {
  std::string_view name;  // in checkpoints
  int rows = 1;
  int columns = 1;
  float start = 0;  // every entry before the first step

  std::size_t size() const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  }
  bool operator==(const LearnedTensor&) const = default;
};

// How many numbers they have in all.
constexpr std::size_t learned_count(std::span<const LearnedTensor> tensors) {
  std::size_t count = 0;
  for (const LearnedTensor& tensor : tensors)
    count += tensor.size();
  return count;
}

// The learned tensors of a head and their values, one after the other.
template <class Scalar>
struct LearnedValues {
  std::span<const LearnedTensor> tensors = {};
  std::span<const Scalar> values = {};  // [learned_count(tensors)]
};

}  // namespace dispersion
