#include "core/precision/rounded_head.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/head/dense.h"
#include "core/math/area.h"
#include "core/math/gelu.h"

namespace dispersion {
namespace {

// First item layer before GELU: one multiply-add per channel onto the row of the item's class.
// Ones and zeros stay what they are when rounded.
void first_item_layer(const RoundedHead& head, const float* priority,
                      const std::uint8_t* item_class, int rows, float* output) {
  const int width = head.parameters.shape.width;
  const int classes = head.parameters.shape.classes;
  const float* kernel = head.parameters.tensor(TensorId::kItem0Kernel).data();
  const float* bias = head.parameters.tensor(TensorId::kItem0Bias).data();
  std::vector<float> class_rows(area(classes, width));
  for (int c = 0; c < classes; ++c) {
    for (int j = 0; j < width; ++j)
      class_rows[c * width + j] = kernel[(1 + c) * width + j] + bias[j];
  }
  with_rounding(head.rounding, [&](auto round) {
    for (int r = 0; r < rows; ++r) {
      const float rho = round(priority[r]);
      const float* from = class_rows.data() + item_class[r] * width;
      float* to = output + area(r, width);
      for (int j = 0; j < width; ++j)
        to[j] = std::fma(rho, kernel[j], from[j]);
    }
  });
}

// One row: psi_q's first layer before GELU.
void first_query_layer(const RoundedHead& head, const float* query, int sets, float* output) {
  const int width = head.parameters.shape.width;
  const float* kernel = head.parameters.tensor(TensorId::kQuery0Kernel).data();
  const float* bias = head.parameters.tensor(TensorId::kQuery0Bias).data();
  with_rounding(head.rounding, [&](auto round) {
    for (int s = 0; s < sets; ++s) {
      const float q = round(query[s]);
      for (int j = 0; j < width; ++j)
        output[area(s, width) + j] = std::fma(q, kernel[j], bias[j]);
    }
  });
}

// output = input kernel + bias; input and kernel are rounded already.
void layer(const RoundedHead& head, const float* input, int rows, TensorId kernel, TensorId bias,
           float* output) {
  dense<float>(input, rows, head.parameters.tensor(kernel), head.parameters.tensor(bias), output);
}

}  // namespace

void RoundedHead::assign(const Parameters<float>& head, Rounding round) {
  rounding = round;
  parameters = head;
  for (const TensorSlot& slot : parameter_layout(head.shape)) {
    if (!slot.is_kernel) continue;
    float* values = parameters.values.data() + slot.offset;
    round_values(rounding, values, values, slot.size());
  }
  const std::size_t width = static_cast<std::size_t>(head.shape.width);
  key_value_kernel.resize(2 * width * width);
  key_value_bias.resize(2 * width);
  const auto place = [&](TensorId kernel_id, TensorId bias_id, std::size_t column) {
    const float* kernel = parameters.tensor(kernel_id).data();
    for (std::size_t r = 0; r < width; ++r)
      std::copy_n(kernel + r * width, width, key_value_kernel.data() + 2 * r * width + column);
    std::copy_n(parameters.tensor(bias_id).data(), width, key_value_bias.data() + column);
  };
  place(TensorId::kKeyKernel, TensorId::kKeyBias, 0);
  place(TensorId::kValueKernel, TensorId::kValueBias, width);
}

void rounded_items(const RoundedHead& head, const float* priority, const std::uint8_t* item_class,
                   int rows, bool with_slopes, RoundedActivations& activations) {
  const std::size_t size = area(rows, head.parameters.shape.width);
  float* hidden = activations.item_hidden.reserve(size);
  first_item_layer(head, priority, item_class, rows, hidden);
  gelu_in_place(hidden, with_slopes ? activations.item_hidden_slope.reserve(size) : nullptr, size);
  round_values(head.rounding, hidden, hidden, size);
  float* embedding = activations.item_embedding.reserve(size);
  layer(head, hidden, rows, TensorId::kItem1Kernel, TensorId::kItem1Bias, embedding);
  gelu_in_place(embedding, with_slopes ? activations.item_embedding_slope.reserve(size) : nullptr,
                size);
  round_values(head.rounding, embedding, embedding, size);
  float* key_value = activations.key_value.reserve(2 * size);
  dense<float>(embedding, rows, head.key_value_kernel, head.key_value_bias, key_value);
  round_values(head.rounding, key_value, key_value, 2 * size);
}

void rounded_queries(const RoundedHead& head, const float* query, int sets,
                     RoundedActivations& activations) {
  const int width = head.parameters.shape.width;
  const std::size_t size = area(sets, width);
  float* hidden = activations.query_hidden.reserve(size);
  first_query_layer(head, query, sets, hidden);
  gelu_in_place(hidden, activations.query_hidden_slope.reserve(size), size);
  round_values(head.rounding, hidden, hidden, size);
  float* vector = activations.query_vector.reserve(size);
  layer(head, hidden, sets, TensorId::kQuery1Kernel, TensorId::kQuery1Bias, vector);
  round_values(head.rounding, vector, vector, size);
  float* scaled = activations.query.reserve(size);
  layer(head, vector, sets, TensorId::kQueryKernel, TensorId::kQueryBias, scaled);
  const float scale = 1.0f / std::sqrt(static_cast<float>(width));
  for (std::size_t i = 0; i < size; ++i)
    scaled[i] *= scale;
  round_values(head.rounding, scaled, scaled, size);
}

void rounded_readout(const RoundedHead& head, int sets, RoundedActivations& activations) {
  const std::size_t size = area(sets, head.parameters.shape.width);
  float* attended = activations.attended.reserve(size);
  layer(head, activations.pooled.data(), sets, TensorId::kOutKernel, TensorId::kOutBias, attended);
  round_values(head.rounding, attended, attended, size);
  float* hidden = activations.readout_hidden.reserve(size);
  layer(head, attended, sets, TensorId::kReadout0Kernel, TensorId::kReadout0Bias, hidden);
  gelu_in_place(hidden, activations.readout_hidden_slope.reserve(size), size);
  round_values(head.rounding, hidden, hidden, size);
  layer(head, hidden, sets, TensorId::kReadout1Kernel, TensorId::kReadout1Bias,
        activations.class_logits.reserve(area(sets, head.parameters.shape.classes)));
}

// Not fused: products of rounded numbers are exact anyway.
float ordered_dot(const float* a, const float* b, int width) {
  constexpr int kLanes = 16;
  using Lanes = Eigen::Array<float, kLanes, 1>;
  Lanes lanes = Lanes::Zero();
  int j = 0;
  for (; j + kLanes <= width; j += kLanes)
    lanes += Lanes::Map(a + j) * Lanes::Map(b + j);
  for (int l = 0; j < width; ++j, ++l)
    lanes[l] += a[j] * b[j];
  const Eigen::Array<float, 8, 1> eight = lanes.head<8>() + lanes.tail<8>();
  const Eigen::Array<float, 4, 1> four = eight.head<4>() + eight.tail<4>();
  return (four[0] + four[2]) + (four[1] + four[3]);
}

void rounded_forward(const RoundedHead& head, const ItemSetsView& sets,
                     const AttentionTransform& transform, RoundedActivations& activations) {
  const int width = head.parameters.shape.width;
  const int items = sets.items;
  const int rows = sets.sets * items;
  activations.sets = sets.sets;
  activations.items = items;
  rounded_items(head, sets.priority, sets.item_class, rows, true, activations);
  rounded_queries(head, sets.query, sets.sets, activations);
  float* logits = activations.attention_logits.reserve(static_cast<std::size_t>(rows));
  float* attention = activations.attention.reserve(static_cast<std::size_t>(rows));
  float* rounded = activations.rounded_attention.reserve(static_cast<std::size_t>(rows));
  float* pooled = activations.pooled.reserve(area(sets.sets, width));
  activations.transform_results.resize(static_cast<std::size_t>(sets.sets));
  std::fill_n(pooled, area(sets.sets, width), 0.0f);
  for (int s = 0; s < sets.sets; ++s) {
    const float* key_value = activations.key_value.data() + area(s * items, 2 * width);
    const float* query = activations.query.data() + area(s, width);
    for (int i = 0; i < items; ++i)
      logits[s * items + i] = ordered_dot(query, key_value + area(i, 2 * width), width);
  }
  const auto all = static_cast<std::size_t>(rows);
  attention_weights<float>({logits, static_cast<std::size_t>(sets.sets),
                            static_cast<std::size_t>(items), nullptr, head.parameters.learned()},
                           {&transform, 1}, attention, activations.transform_results);
  round_values(head.rounding, attention, rounded, all);
  for (int s = 0; s < sets.sets; ++s) {
    const float* key_value = activations.key_value.data() + area(s * items, 2 * width);
    float* sum = pooled + area(s, width);
    for (int i = 0; i < items; ++i) {
      const float weight = rounded[s * items + i];
      const float* value = key_value + area(i, 2 * width) + width;
      for (int j = 0; j < width; ++j)
        sum[j] = std::fma(weight, value[j], sum[j]);
    }
  }
  round_values(head.rounding, pooled, pooled, area(sets.sets, width));
  rounded_readout(head, sets.sets, activations);
}

}  // namespace dispersion
