#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/attention/attention_transform.h"

namespace dispersion {

// Sizes of the head; the defaults are the paper's (appendix A).
struct HeadShape {
  int width = 128;
  int classes = 10;
  // Of the attention transform that it is trained with (TransformDefinition::learned).
  std::span<const LearnedTensor> learned = {};
};

bool operator==(const HeadShape& a, const HeadShape& b);

// The tensors that every head has, in the order in which they lie in the flat buffer; the learned
// tensors of HeadShape follow them.
enum class TensorId : int {
  kItem0Kernel,
  kItem0Bias,  // Dense 11 -> 128
  kItem1Kernel,
  kItem1Bias,  // Dense 128 -> 128
  kQuery0Kernel,
  kQuery0Bias,  // Dense 1 -> 128
  kQuery1Kernel,
  kQuery1Bias,  // Dense 128 -> 128
  kQueryKernel,
  kQueryBias,  // Q
  kKeyKernel,
  kKeyBias,  // K
  kValueKernel,
  kValueBias,  // V
  kOutKernel,
  kOutBias,  // output projection of the attention
  kReadout0Kernel,
  kReadout0Bias,  // Dense 128 -> 128
  kReadout1Kernel,
  kReadout1Bias,  // Dense 128 -> 10
};
inline constexpr int kTensorCount = 20;

// Where a tensor lies. A kernel is [rows = inputs, cols = outputs], row-major, applied as
// y = x kernel + bias (Flax's order); a bias is [1, cols].
struct TensorSlot {
  std::string_view name;  // as in the golden data and in checkpoints, e.g. "item_mlp.0.kernel"
  int rows = 0;
  int cols = 0;
  std::size_t offset = 0;
  bool is_kernel = false;

  std::size_t size() const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
  }
};

using ParameterLayout = std::vector<TensorSlot>;

// The tensors of TensorId, then the learned ones.
ParameterLayout parameter_layout(HeadShape shape);
std::size_t parameter_count(HeadShape shape);

// All numbers of a head (or of its gradient, or of an Adam moment) in one flat buffer.
template <class Scalar>
struct Parameters {
  HeadShape shape;
  std::vector<Scalar> values;  // [parameter_count(shape)]

  Parameters() = default;
  explicit Parameters(HeadShape s) : shape(s), values(parameter_count(s), Scalar(0)) {}

  std::span<Scalar> tensor(TensorId id);
  std::span<const Scalar> tensor(TensorId id) const;
  // The learned tensors, one after the other.
  std::span<Scalar> learned_values();
  LearnedValues<Scalar> learned() const;

  bool operator==(const Parameters&) const = default;
};

// Element by element.
template <class To, class From>
Parameters<To> convert_parameters(const Parameters<From>& from) {
  Parameters<To> to(from.shape);
  for (std::size_t i = 0; i < from.values.size(); ++i)
    to.values[i] = static_cast<To>(from.values[i]);
  return to;
}

// Unlike ==, true for the same NaN and false for 0 and -0.
bool same_bits(const Parameters<float>& a, const Parameters<float>& b);

// Flax's defaults: kernels lecun-normal (normal with standard deviation sqrt(1 / fan_in) after
// truncation at two standard deviations, hence divided by 0.87962566), biases zero; learned tensors
// at their start.
Parameters<float> initial_parameters(HeadShape shape, std::uint32_t seed);

}  // namespace dispersion
