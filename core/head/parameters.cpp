#include "core/head/parameters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

#include "core/task/draws.h"

namespace dispersion {
namespace {

// A standard normal number, redrawn until it lies within two standard deviations: the truncation of
// Flax's lecun_normal. `index` numbers the parameter inside its tensor.
double truncated_normal(std::uint32_t seed, std::uint32_t tensor, std::uint32_t index) {
  for (std::uint32_t attempt = 0;; ++attempt) {
    const PhiloxBlock block = draw_block(seed, RandomPurpose::kInitialisation,
                                         {attempt, tensor, index, Draw::kParameter});
    // Box and Muller on 32-bit uniforms; the half keeps the logarithm finite.
    const double radius = std::sqrt(-2 * std::log((block.word[0] + 0.5) * 0x1p-32));
    const double angle = 2 * std::numbers::pi * (block.word[1] * 0x1p-32);
    const double normal = radius * std::cos(angle);
    if (std::abs(normal) <= 2) return normal;
  }
}

std::array<TensorSlot, kTensorCount> fixed_slots(HeadShape shape) {
  const int width = shape.width;
  std::array<TensorSlot, kTensorCount> layout;
  std::size_t offset = 0;
  int next = 0;
  const auto dense = [&](std::string_view kernel, std::string_view bias, int inputs, int outputs) {
    layout[next++] = {kernel, inputs, outputs, offset, true};
    offset += layout[next - 1].size();
    layout[next++] = {bias, 1, outputs, offset, false};
    offset += layout[next - 1].size();
  };
  dense("item_mlp.0.kernel", "item_mlp.0.bias", 1 + shape.classes, width);
  dense("item_mlp.1.kernel", "item_mlp.1.bias", width, width);
  dense("query_mlp.0.kernel", "query_mlp.0.bias", 1, width);
  dense("query_mlp.1.kernel", "query_mlp.1.bias", width, width);
  dense("attention.query.kernel", "attention.query.bias", width, width);
  dense("attention.key.kernel", "attention.key.bias", width, width);
  dense("attention.value.kernel", "attention.value.bias", width, width);
  dense("attention.out.kernel", "attention.out.bias", width, width);
  dense("readout_mlp.0.kernel", "readout_mlp.0.bias", width, width);
  dense("readout_mlp.1.kernel", "readout_mlp.1.bias", width, shape.classes);
  return layout;
}

std::size_t fixed_count(HeadShape shape) {
  const TensorSlot last = fixed_slots(shape).back();
  return last.offset + last.size();
}

}  // namespace

bool operator==(const HeadShape& a, const HeadShape& b) {
  return a.width == b.width && a.classes == b.classes && std::ranges::equal(a.learned, b.learned);
}

ParameterLayout parameter_layout(HeadShape shape) {
  const auto fixed = fixed_slots(shape);
  ParameterLayout layout(fixed.begin(), fixed.end());
  for (const LearnedTensor& tensor : shape.learned) {
    const std::size_t offset = layout.back().offset + layout.back().size();
    layout.push_back({tensor.name, tensor.rows, tensor.columns, offset, false});
  }
  return layout;
}

std::size_t parameter_count(HeadShape shape) {
  return fixed_count(shape) + learned_count(shape.learned);
}

template <class Scalar>
std::span<Scalar> Parameters<Scalar>::tensor(TensorId id) {
  const TensorSlot slot = fixed_slots(shape)[static_cast<std::size_t>(id)];
  return std::span(values).subspan(slot.offset, slot.size());
}

template <class Scalar>
std::span<const Scalar> Parameters<Scalar>::tensor(TensorId id) const {
  const TensorSlot slot = fixed_slots(shape)[static_cast<std::size_t>(id)];
  return std::span(values).subspan(slot.offset, slot.size());
}

template <class Scalar>
std::span<Scalar> Parameters<Scalar>::learned_values() {
  return std::span(values).subspan(fixed_count(shape));
}

template <class Scalar>
LearnedValues<Scalar> Parameters<Scalar>::learned() const {
  return {shape.learned, std::span(values).subspan(fixed_count(shape))};
}

template struct Parameters<float>;
template struct Parameters<double>;

Parameters<float> initial_parameters(HeadShape shape, std::uint32_t seed) {
  Parameters<float> parameters(shape);
  const ParameterLayout layout = parameter_layout(shape);
  for (std::uint32_t t = 0; t < layout.size(); ++t) {
    const TensorSlot& slot = layout[t];
    if (!slot.is_kernel) continue;
    // The standard deviation of a unit normal cut at two is 0.8796...
    const double scale = std::sqrt(1.0 / slot.rows) / 0.87962566103423978;
    for (std::uint32_t i = 0; i < slot.size(); ++i) {
      parameters.values[slot.offset + i] = static_cast<float>(scale * truncated_normal(seed, t, i));
    }
  }
  std::size_t offset = fixed_count(shape);
  for (const LearnedTensor& tensor : shape.learned) {
    std::fill_n(parameters.values.begin() + static_cast<std::ptrdiff_t>(offset), tensor.size(),
                tensor.start);
    offset += tensor.size();
  }
  return parameters;
}

bool same_bits(const Parameters<float>& a, const Parameters<float>& b) {
  return a.shape == b.shape && a.values.size() == b.values.size() &&
         std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(float)) == 0;
}

}  // namespace dispersion
