#include "core/head/backward.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "core/attention/softmax.h"
#include "core/head/backward_parts.h"
#include "core/head/dense.h"
#include "core/head/forward.h"
#include "core/math/area.h"

namespace dispersion {
namespace {

template <class Scalar>
void multiply_in_place(Scalar* values, const Scalar* factors, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    values[i] *= factors[i];
}

// Back through pooling, weights and scores: turns item_embedding_slope into d / d (second item
// layer before GELU), and fills d / d score_vector ([sets, width], returned),
// score_offset_gradient and the gradient of the learned tensors.
template <class Scalar>
Scalar* attention_backward(const Parameters<Scalar>& head, const AttentionTransform& transform,
                           BetaGradient beta_gradient, const Scalar* pooled_gradient,
                           Activations<Scalar>& activations, BackwardWorkspace<Scalar>& workspace,
                           Parameters<Scalar>& gradient) {
  const int width = activations.shape.width;
  const int items = activations.items;
  const std::size_t count = static_cast<std::size_t>(items);
  Scalar* score_gradient = workspace.set_gradient_a.data();
  Scalar* offset_gradient =
      workspace.score_offset_gradient.reserve(static_cast<std::size_t>(activations.sets));
  Scalar* weight_gradient = workspace.weight_gradient.reserve(count);
  Scalar* logit_gradient = workspace.logit_gradient.reserve(count);
  std::ranges::fill(gradient.learned_values(), Scalar(0));
  for (int s = 0; s < activations.sets; ++s) {
    const Scalar* embedding = activations.item_embedding.data() + area(s * items, width);
    const Scalar* weights = activations.attention.data() + s * items;
    const Scalar* pooled_row = pooled_gradient + area(s, width);
    const Scalar* score_row = activations.score_vector.data() + area(s, width);
    score_items<Scalar>(embedding, items, width, pooled_row, Scalar(0), weight_gradient);
    const WeightedRow<Scalar> weighted = {{activations.attention_logits.data() + s * items, count},
                                          {weights, count},
                                          activations.transform_results[s],
                                          head.learned(),
                                          gradient.learned_values()};
    attention_weights_backward<Scalar>(transform, weighted, beta_gradient, {weight_gradient, count},
                                       {logit_gradient, count});
    pool_items<Scalar>(logit_gradient, embedding, items, width, false,
                       score_gradient + area(s, width));
    offset_gradient[s] = std::accumulate(logit_gradient, logit_gradient + items, Scalar(0));
    Scalar* slope = activations.item_embedding_slope.data() + area(s * items, width);
    for (int i = 0; i < items; ++i) {
      Scalar* row = slope + area(i, width);
      for (int j = 0; j < width; ++j) {
        row[j] *= std::fma(weights[i], pooled_row[j], logit_gradient[i] * score_row[j]);
      }
    }
  }
  return score_gradient;
}

}  // namespace

template <class Scalar>
BatchLoss loss_backward(const Activations<Scalar>& activations, const ItemSetsView& sets,
                        Scalar set_weight, Scalar* class_logit_gradient) {
  BatchLoss loss;
  const std::size_t classes = static_cast<std::size_t>(activations.shape.classes);
  for (int s = 0; s < sets.sets; ++s) {
    const std::span<const Scalar> logits(activations.class_logits.data() + s * classes, classes);
    const std::span<Scalar> gradient(class_logit_gradient + s * classes, classes);
    loss.cross_entropy += cross_entropy(logits, sets.label[s]);
    loss.correct += predicted_class(logits) == sets.label[s] ? 1 : 0;
    softmax(logits, 1.0, gradient);
    gradient[static_cast<std::size_t>(sets.label[s])] -= Scalar(1);
    for (Scalar& value : gradient)
      value *= set_weight;
  }
  return loss;
}

template <class Scalar>
Scalar* readout_backward(const Parameters<Scalar>& head, const Activations<Scalar>& activations,
                         BackwardWorkspace<Scalar>& workspace, Parameters<Scalar>& gradient) {
  const int sets = activations.sets;
  const std::size_t size = area(sets, head.shape.width);
  Scalar* a = workspace.set_gradient_a.reserve(size);
  Scalar* b = workspace.set_gradient_b.reserve(size);
  const auto layer = [&](const Scalar* input, const Scalar* output_gradient, TensorId kernel,
                         TensorId bias, Scalar* input_gradient) {
    dense_backward<Scalar>(input, output_gradient, sets, head.tensor(kernel),
                           gradient.tensor(kernel), gradient.tensor(bias), input_gradient);
  };
  layer(activations.readout_hidden.data(), workspace.class_logit_gradient.data(),
        TensorId::kReadout1Kernel, TensorId::kReadout1Bias, a);
  multiply_in_place(a, activations.readout_hidden_slope.data(), size);
  layer(activations.attended.data(), a, TensorId::kReadout0Kernel, TensorId::kReadout0Bias, b);
  layer(activations.pooled_values.data(), b, TensorId::kOutKernel, TensorId::kOutBias, a);
  layer(activations.pooled_embedding.data(), a, TensorId::kValueKernel, TensorId::kValueBias, b);
  return b;
}

template <class Scalar>
void query_backward(const Parameters<Scalar>& head, const ItemSetsView& sets,
                    Scalar* score_gradient, Activations<Scalar>& activations,
                    BackwardWorkspace<Scalar>& workspace, Parameters<Scalar>& gradient) {
  const int width = head.shape.width;
  const int count = sets.sets;
  const std::size_t size = area(count, width);
  const Scalar scale = Scalar(1) / std::sqrt(static_cast<Scalar>(width));
  const Scalar* projection = activations.query_projection.data();
  VectorView<Scalar>(score_gradient, static_cast<Eigen::Index>(size)) *= scale;
  const VectorView<Scalar> offset_gradient(workspace.score_offset_gradient.data(), count);

  // score = projection kernel^T, offset = projection . bias (both scaled)
  multiply(Transpose::kYes, Transpose::kNo, width, width, count, score_gradient, projection,
           Into::kReplace, gradient.tensor(TensorId::kKeyKernel).data());
  const VectorView<Scalar> key_bias_gradient(gradient.tensor(TensorId::kKeyBias).data(), width);
  VectorView<Scalar>(key_bias_gradient).noalias() =
      ConstMatrixView<Scalar>(projection, count, width).transpose() * offset_gradient * scale;
  Scalar* projection_gradient = workspace.set_gradient_b.data();
  multiply(Transpose::kNo, Transpose::kNo, count, width, width, score_gradient,
           head.tensor(TensorId::kKeyKernel).data(), Into::kReplace, projection_gradient);
  MatrixView<Scalar>(projection_gradient, count, width).noalias() +=
      offset_gradient * scale *
      ConstVectorView<Scalar>(head.tensor(TensorId::kKeyBias).data(), width).transpose();

  Scalar* vector_gradient = score_gradient;
  dense_backward<Scalar>(activations.query_vector.data(), projection_gradient, count,
                         head.tensor(TensorId::kQueryKernel),
                         gradient.tensor(TensorId::kQueryKernel),
                         gradient.tensor(TensorId::kQueryBias), vector_gradient);
  Scalar* hidden_gradient = projection_gradient;
  dense_backward<Scalar>(activations.query_hidden.data(), vector_gradient, count,
                         head.tensor(TensorId::kQuery1Kernel),
                         gradient.tensor(TensorId::kQuery1Kernel),
                         gradient.tensor(TensorId::kQuery1Bias), hidden_gradient);
  multiply_in_place(hidden_gradient, activations.query_hidden_slope.data(), size);
  const MatrixView<Scalar> rows(hidden_gradient, count, width);
  VectorView<Scalar> kernel_gradient(gradient.tensor(TensorId::kQuery0Kernel).data(), width);
  kernel_gradient.setZero();
  for (int s = 0; s < count; ++s) {
    kernel_gradient += static_cast<Scalar>(sets.query[s]) * rows.row(s).transpose();
  }
  column_sums<Scalar>(hidden_gradient, count, width, gradient.tensor(TensorId::kQuery0Bias).data());
}

template <class Scalar>
void item_backward(const Parameters<Scalar>& head, const ItemSetsView& sets,
                   Activations<Scalar>& activations, BackwardWorkspace<Scalar>& workspace,
                   Parameters<Scalar>& gradient) {
  const int width = head.shape.width;
  const int classes = head.shape.classes;
  const int rows = sets.sets * sets.items;
  Scalar* hidden_gradient = workspace.item_hidden_gradient.reserve(area(rows, width));
  dense_backward<Scalar>(activations.item_hidden.data(), activations.item_embedding_slope.data(),
                         rows, head.tensor(TensorId::kItem1Kernel),
                         gradient.tensor(TensorId::kItem1Kernel),
                         gradient.tensor(TensorId::kItem1Bias), hidden_gradient);

  // Kernel row 0 meets the priority, row 1 + c the items of class c; the bias meets all of them.
  Scalar* priority_row = gradient.tensor(TensorId::kItem0Kernel).data();
  Scalar* class_rows = priority_row + width;
  std::fill_n(priority_row, area(1 + classes, width), Scalar(0));
  const Scalar* slope = activations.item_hidden_slope.data();
  for (int r = 0; r < rows; ++r) {
    const Scalar rho = static_cast<Scalar>(sets.priority[r]);
    const Scalar* row = hidden_gradient + area(r, width);
    const Scalar* row_slope = slope + area(r, width);
    Scalar* class_row = class_rows + sets.item_class[r] * width;
    for (int j = 0; j < width; ++j) {
      const Scalar value = row[j] * row_slope[j];
      priority_row[j] = std::fma(rho, value, priority_row[j]);
      class_row[j] += value;
    }
  }
  column_sums<Scalar>(class_rows, classes, width, gradient.tensor(TensorId::kItem0Bias).data());
}

template <class Scalar>
BatchLoss backward(const Parameters<Scalar>& head, const ItemSetsView& sets,
                   const AttentionTransform& transform, BetaGradient beta_gradient,
                   Scalar set_weight, Activations<Scalar>& activations,
                   BackwardWorkspace<Scalar>& workspace, Parameters<Scalar>& gradient) {
  Scalar* class_logit_gradient =
      workspace.class_logit_gradient.reserve(area(sets.sets, head.shape.classes));
  const BatchLoss loss = loss_backward(activations, sets, set_weight, class_logit_gradient);
  const Scalar* pooled_gradient = readout_backward(head, activations, workspace, gradient);
  Scalar* score_gradient = attention_backward(head, transform, beta_gradient, pooled_gradient,
                                              activations, workspace, gradient);
  query_backward(head, sets, score_gradient, activations, workspace, gradient);
  item_backward(head, sets, activations, workspace, gradient);
  return loss;
}

template BatchLoss backward(const Parameters<float>&, const ItemSetsView&,
                            const AttentionTransform&, BetaGradient, float, Activations<float>&,
                            BackwardWorkspace<float>&, Parameters<float>&);
template BatchLoss backward(const Parameters<double>&, const ItemSetsView&,
                            const AttentionTransform&, BetaGradient, double, Activations<double>&,
                            BackwardWorkspace<double>&, Parameters<double>&);

template BatchLoss loss_backward(const Activations<float>&, const ItemSetsView&, float, float*);
template BatchLoss loss_backward(const Activations<double>&, const ItemSetsView&, double, double*);
template float* readout_backward(const Parameters<float>&, const Activations<float>&,
                                 BackwardWorkspace<float>&, Parameters<float>&);
template double* readout_backward(const Parameters<double>&, const Activations<double>&,
                                  BackwardWorkspace<double>&, Parameters<double>&);
template void query_backward(const Parameters<float>&, const ItemSetsView&, float*,
                             Activations<float>&, BackwardWorkspace<float>&, Parameters<float>&);
template void query_backward(const Parameters<double>&, const ItemSetsView&, double*,
                             Activations<double>&, BackwardWorkspace<double>&, Parameters<double>&);
template void item_backward(const Parameters<float>&, const ItemSetsView&, Activations<float>&,
                            BackwardWorkspace<float>&, Parameters<float>&);
template void item_backward(const Parameters<double>&, const ItemSetsView&, Activations<double>&,
                            BackwardWorkspace<double>&, Parameters<double>&);

}  // namespace dispersion
