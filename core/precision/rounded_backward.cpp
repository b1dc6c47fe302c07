#include "core/precision/rounded_backward.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/attention/softmax.h"
#include "core/head/dense.h"
#include "core/head/forward.h"
#include "core/math/area.h"

namespace dispersion {
namespace {

// gradient *= slope (unless null); its column sums go to bias_gradient; then it is rounded.
void slope_sum_round(Rounding rounding, const float* slope, int rows, int columns, float* gradient,
                     std::span<float> bias_gradient) {
  std::fill(bias_gradient.begin(), bias_gradient.end(), 0.0f);
  float* sums = bias_gradient.data();
  with_rounding(rounding, [&](auto round) {
    for (int r = 0; r < rows; ++r) {
      float* row = gradient + area(r, columns);
      if (slope != nullptr) {
        const float* row_slope = slope + area(r, columns);
        for (int j = 0; j < columns; ++j)
          row[j] *= row_slope[j];
      }
      for (int j = 0; j < columns; ++j)
        sums[j] += row[j];
      for (int j = 0; j < columns; ++j)
        row[j] = round(row[j]);
    }
  });
}

// Back through one dense layer. input and output_gradient are rounded; input_gradient is replaced.
void layer_backward(const RoundedHead& head, const float* input, const float* output_gradient,
                    int rows, TensorId kernel, Parameters<float>& gradient, float* input_gradient) {
  const int inputs = head.parameters.shape.width;
  const int outputs = static_cast<int>(head.parameters.tensor(kernel).size()) / inputs;
  multiply(Transpose::kYes, Transpose::kNo, inputs, outputs, rows, input, output_gradient,
           Into::kReplace, gradient.tensor(kernel).data());
  multiply(Transpose::kNo, Transpose::kYes, rows, inputs, outputs, output_gradient,
           head.parameters.tensor(kernel).data(), Into::kReplace, input_gradient);
}

BatchLoss loss_backward(const RoundedActivations& activations, int classes,
                        const ItemSetsView& sets, float set_weight, float* class_logit_gradient) {
  BatchLoss loss;
  const std::size_t count = static_cast<std::size_t>(classes);
  for (int s = 0; s < sets.sets; ++s) {
    const std::span<const float> logits(activations.class_logits.data() + s * classes, count);
    const std::span<float> row(class_logit_gradient + s * classes, count);
    loss.cross_entropy += cross_entropy(logits, sets.label[s]);
    loss.correct += predicted_class(logits) == sets.label[s] ? 1 : 0;
    softmax(logits, 1.0, row);
    row[static_cast<std::size_t>(sets.label[s])] -= 1.0f;
    for (float& value : row)
      value *= set_weight;
  }
  return loss;
}

// Back through the readout and the output projection; returns d / d pooled, rounded, [sets, width].
const float* readout_backward(const RoundedHead& head, const RoundedActivations& activations,
                              RoundedBackwardWorkspace& workspace, Parameters<float>& gradient) {
  const int sets = activations.sets;
  const int width = head.parameters.shape.width;
  float* logits = workspace.class_logit_gradient.data();
  float* a = workspace.set_gradient_a.reserve(area(sets, width));
  float* b = workspace.set_gradient_b.reserve(area(sets, width));
  slope_sum_round(head.rounding, nullptr, sets, head.parameters.shape.classes, logits,
                  gradient.tensor(TensorId::kReadout1Bias));
  layer_backward(head, activations.readout_hidden.data(), logits, sets, TensorId::kReadout1Kernel,
                 gradient, a);
  slope_sum_round(head.rounding, activations.readout_hidden_slope.data(), sets, width, a,
                  gradient.tensor(TensorId::kReadout0Bias));
  layer_backward(head, activations.attended.data(), a, sets, TensorId::kReadout0Kernel, gradient,
                 b);
  slope_sum_round(head.rounding, nullptr, sets, width, b, gradient.tensor(TensorId::kOutBias));
  layer_backward(head, activations.pooled.data(), b, sets, TensorId::kOutKernel, gradient, a);
  round_values(head.rounding, a, a, area(sets, width));
  return a;
}

// Back through one set's pooling, weights and scores: fills key_value_gradient (rounded) and
// query_gradient, and adds to the gradients of the biases of K and V.
void attention_backward(const RoundedHead& head, const AttentionTransform& transform, int s,
                        const float* pooled_gradient, const RoundedActivations& activations,
                        RoundedBackwardWorkspace& workspace, float* query_gradient,
                        Parameters<float>& gradient) {
  const int width = head.parameters.shape.width;
  const int items = activations.items;
  const std::size_t count = static_cast<std::size_t>(items);
  const std::size_t first = area(s, items);
  const float* key_value = activations.key_value.data() + first * 2 * width;
  const float* query = activations.query.data() + area(s, width);
  const float* rounded_weights = activations.rounded_attention.data() + first;
  float* weight_gradient = workspace.weight_gradient.reserve(count);
  float* logit_gradient = workspace.logit_gradient.reserve(count);
  for (int i = 0; i < items; ++i)
    weight_gradient[i] =
        ordered_dot(pooled_gradient, key_value + area(i, 2 * width) + width, width);
  const WeightedRow<float> weighted = {{activations.attention_logits.data() + first, count},
                                       {activations.attention.data() + first, count},
                                       activations.transform_results[s],
                                       head.parameters.learned(),
                                       gradient.learned_values()};
  attention_weights_backward<float>(transform, weighted, BetaGradient::kStopped,
                                    {weight_gradient, count}, {logit_gradient, count});
  round_values(head.rounding, logit_gradient, logit_gradient, count);

  float* row = workspace.key_value_gradient.data() + first * 2 * width;
  std::fill_n(query_gradient, width, 0.0f);
  float logit_sum = 0;
  float weight_sum = 0;
  with_rounding(head.rounding, [&](auto round) {
    for (int i = 0; i < items; ++i, row += 2 * width) {
      const float* key = key_value + area(i, 2 * width);
      const float slope = logit_gradient[i];
      const float weight = rounded_weights[i];
      for (int j = 0; j < width; ++j)
        query_gradient[j] = std::fma(slope, key[j], query_gradient[j]);
      for (int j = 0; j < width; ++j)
        row[j] = round(slope * query[j]);
      for (int j = 0; j < width; ++j)
        row[width + j] = round(weight * pooled_gradient[j]);
      logit_sum += slope;
      weight_sum += weight;
    }
  });
  float* key_bias = gradient.tensor(TensorId::kKeyBias).data();
  float* value_bias = gradient.tensor(TensorId::kValueBias).data();
  for (int j = 0; j < width; ++j) {
    key_bias[j] = std::fma(logit_sum, query[j], key_bias[j]);
    value_bias[j] = std::fma(weight_sum, pooled_gradient[j], value_bias[j]);
  }
}

// Back through Q and psi_q. query_gradient [sets, width] is overwritten, as is `other`.
void query_backward(const RoundedHead& head, const ItemSetsView& sets,
                    const RoundedActivations& activations, float* query_gradient, float* other,
                    Parameters<float>& gradient) {
  const int width = head.parameters.shape.width;
  const int count = sets.sets;
  const float scale = 1.0f / std::sqrt(static_cast<float>(width));
  for (std::size_t i = 0; i < area(count, width); ++i)
    query_gradient[i] *= scale;
  slope_sum_round(head.rounding, nullptr, count, width, query_gradient,
                  gradient.tensor(TensorId::kQueryBias));
  layer_backward(head, activations.query_vector.data(), query_gradient, count,
                 TensorId::kQueryKernel, gradient, other);
  slope_sum_round(head.rounding, nullptr, count, width, other,
                  gradient.tensor(TensorId::kQuery1Bias));
  layer_backward(head, activations.query_hidden.data(), other, count, TensorId::kQuery1Kernel,
                 gradient, query_gradient);
  slope_sum_round(head.rounding, activations.query_hidden_slope.data(), count, width,
                  query_gradient, gradient.tensor(TensorId::kQuery0Bias));
  float* kernel = gradient.tensor(TensorId::kQuery0Kernel).data();
  std::fill_n(kernel, width, 0.0f);
  with_rounding(head.rounding, [&](auto round) {
    for (int s = 0; s < count; ++s) {
      const float q = round(sets.query[s]);
      const float* row = query_gradient + area(s, width);
      for (int j = 0; j < width; ++j)
        kernel[j] = std::fma(q, row[j], kernel[j]);
    }
  });
}

// Back through the projections K and V, both at once; returns d / d item_embedding, [rows, width].
float* projection_backward(const RoundedHead& head, const RoundedActivations& activations, int rows,
                           RoundedBackwardWorkspace& workspace, Parameters<float>& gradient) {
  const int width = head.parameters.shape.width;
  float* both = workspace.key_value_kernel.reserve(2 * area(width, width));
  multiply(Transpose::kYes, Transpose::kNo, width, 2 * width, rows,
           activations.item_embedding.data(), workspace.key_value_gradient.data(), Into::kReplace,
           both);
  float* key = gradient.tensor(TensorId::kKeyKernel).data();
  float* value = gradient.tensor(TensorId::kValueKernel).data();
  for (int r = 0; r < width; ++r) {
    std::copy_n(both + area(r, 2 * width), width, key + area(r, width));
    std::copy_n(both + area(r, 2 * width) + width, width, value + area(r, width));
  }
  float* embedding_gradient = workspace.item_gradient_a.reserve(area(rows, width));
  multiply(Transpose::kNo, Transpose::kYes, rows, width, 2 * width,
           workspace.key_value_gradient.data(), head.key_value_kernel.data(), Into::kReplace,
           embedding_gradient);
  return embedding_gradient;
}

// The first item layer. hidden_gradient [rows, width] is rounded. Kernel row 0 meets the priority,
// row 1 + c the items of class c.
void first_layer_backward(const RoundedHead& head, const ItemSetsView& sets,
                          const float* hidden_gradient, Parameters<float>& gradient) {
  const int width = head.parameters.shape.width;
  float* priority_row = gradient.tensor(TensorId::kItem0Kernel).data();
  float* class_rows = priority_row + width;
  std::fill_n(priority_row, area(1 + head.parameters.shape.classes, width), 0.0f);
  with_rounding(head.rounding, [&](auto round) {
    for (int r = 0; r < sets.sets * sets.items; ++r) {
      const float rho = round(sets.priority[r]);
      const float* row = hidden_gradient + area(r, width);
      float* class_row = class_rows + sets.item_class[r] * width;
      for (int j = 0; j < width; ++j) {
        priority_row[j] = std::fma(rho, row[j], priority_row[j]);
        class_row[j] += row[j];
      }
    }
  });
}

void item_backward(const RoundedHead& head, const ItemSetsView& sets,
                   const RoundedActivations& activations, RoundedBackwardWorkspace& workspace,
                   Parameters<float>& gradient) {
  const int width = head.parameters.shape.width;
  const int rows = sets.sets * sets.items;
  float* embedding_gradient = projection_backward(head, activations, rows, workspace, gradient);
  slope_sum_round(head.rounding, activations.item_embedding_slope.data(), rows, width,
                  embedding_gradient, gradient.tensor(TensorId::kItem1Bias));
  float* hidden_gradient = workspace.item_gradient_b.reserve(area(rows, width));
  layer_backward(head, activations.item_hidden.data(), embedding_gradient, rows,
                 TensorId::kItem1Kernel, gradient, hidden_gradient);
  slope_sum_round(head.rounding, activations.item_hidden_slope.data(), rows, width, hidden_gradient,
                  gradient.tensor(TensorId::kItem0Bias));
  first_layer_backward(head, sets, hidden_gradient, gradient);
}

}  // namespace

BatchLoss rounded_backward(const RoundedHead& head, const ItemSetsView& sets,
                           const AttentionTransform& transform, float set_weight,
                           RoundedActivations& activations, RoundedBackwardWorkspace& workspace,
                           Parameters<float>& gradient) {
  const HeadShape shape = head.parameters.shape;
  float* class_logit_gradient =
      workspace.class_logit_gradient.reserve(area(sets.sets, shape.classes));
  const BatchLoss loss =
      loss_backward(activations, shape.classes, sets, set_weight, class_logit_gradient);
  const float* pooled_gradient = readout_backward(head, activations, workspace, gradient);
  float* query_gradient = workspace.set_gradient_b.data();
  workspace.key_value_gradient.reserve(2 * area(sets.sets * sets.items, shape.width));
  for (const TensorId bias : {TensorId::kKeyBias, TensorId::kValueBias})
    std::ranges::fill(gradient.tensor(bias), 0.0f);
  std::ranges::fill(gradient.learned_values(), 0.0f);
  for (int s = 0; s < sets.sets; ++s) {
    attention_backward(head, transform, s, pooled_gradient + area(s, shape.width), activations,
                       workspace, query_gradient + area(s, shape.width), gradient);
  }
  query_backward(head, sets, activations, query_gradient, workspace.set_gradient_a.data(),
                 gradient);
  item_backward(head, sets, activations, workspace, gradient);
  return loss;
}

}  // namespace dispersion
