#include "core/head/forward.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/head/dense.h"
#include "core/math/area.h"
#include "core/math/gelu.h"

namespace dispersion {
namespace {

// First item layer before GELU. An item is its priority and a one-hot class, so the product is one
// multiply-add per channel onto the row of its class.
template <class Scalar>
void first_item_layer(const Parameters<Scalar>& head, const float* priority,
                      const std::uint8_t* item_class, int rows, Scalar* output) {
  const int width = head.shape.width;
  const Scalar* kernel = head.tensor(TensorId::kItem0Kernel).data();
  const Scalar* bias = head.tensor(TensorId::kItem0Bias).data();
  AlignedBuffer<Scalar> class_rows;
  Scalar* class_row = class_rows.reserve(area(head.shape.classes, width));
  for (int c = 0; c < head.shape.classes; ++c) {
    for (int j = 0; j < width; ++j)
      class_row[c * width + j] = kernel[(1 + c) * width + j] + bias[j];
  }
  for (int r = 0; r < rows; ++r) {
    const Scalar rho = static_cast<Scalar>(priority[r]);
    const Scalar* from = class_row + item_class[r] * width;
    Scalar* to = output + area(r, width);
    for (int j = 0; j < width; ++j)
      to[j] = std::fma(rho, kernel[j], from[j]);
  }
}

}  // namespace

template <class Scalar>
void embed_items(const Parameters<Scalar>& head, const float* priority,
                 const std::uint8_t* item_class, int rows, Scalar* hidden, Scalar* hidden_slope,
                 Scalar* embedding, Scalar* embedding_slope) {
  const std::size_t size = area(rows, head.shape.width);
  first_item_layer(head, priority, item_class, rows, hidden);
  gelu_in_place(hidden, hidden_slope, size);
  dense(hidden, rows, head.tensor(TensorId::kItem1Kernel), head.tensor(TensorId::kItem1Bias),
        embedding);
  gelu_in_place(embedding, embedding_slope, size);
}

template <class Scalar>
void embed_queries(const Parameters<Scalar>& head, const float* query, int sets,
                   Activations<Scalar>& activations) {
  const int width = head.shape.width;
  const std::size_t size = area(sets, width);
  Scalar* hidden = activations.query_hidden.reserve(size);
  Scalar* slope = activations.query_hidden_slope.reserve(size);
  const Scalar* kernel = head.tensor(TensorId::kQuery0Kernel).data();
  const Scalar* bias = head.tensor(TensorId::kQuery0Bias).data();
  for (int s = 0; s < sets; ++s) {
    const Scalar q = static_cast<Scalar>(query[s]);
    for (int j = 0; j < width; ++j)
      hidden[area(s, width) + j] = std::fma(q, kernel[j], bias[j]);
  }
  gelu_in_place(hidden, slope, size);
  Scalar* vector = activations.query_vector.reserve(size);
  dense(hidden, sets, head.tensor(TensorId::kQuery1Kernel), head.tensor(TensorId::kQuery1Bias),
        vector);
  Scalar* projection = activations.query_projection.reserve(size);
  dense<Scalar>(vector, sets, head.tensor(TensorId::kQueryKernel),
                head.tensor(TensorId::kQueryBias), projection);

  // u = K^T projection / sqrt(width), offset = key bias . projection / sqrt(width)
  const Scalar scale = Scalar(1) / std::sqrt(static_cast<Scalar>(width));
  Scalar* score = activations.score_vector.reserve(size);
  multiply(Transpose::kNo, Transpose::kYes, sets, width, width, projection,
           head.tensor(TensorId::kKeyKernel).data(), Into::kReplace, score);
  VectorView<Scalar>(score, static_cast<Eigen::Index>(size)) *= scale;
  VectorView<Scalar> offset(activations.score_offset.reserve(static_cast<std::size_t>(sets)), sets);
  offset.noalias() = ConstMatrixView<Scalar>(projection, sets, width) *
                     ConstVectorView<Scalar>(head.tensor(TensorId::kKeyBias).data(), width);
  offset *= scale;
}

template <class Scalar>
void project_pooled(const Parameters<Scalar>& head, int sets, Activations<Scalar>& activations) {
  const std::size_t size = area(sets, head.shape.width);
  const Scalar* pooled = activations.pooled_embedding.data();
  Scalar* values = activations.pooled_values.reserve(size);
  dense(pooled, sets, head.tensor(TensorId::kValueKernel), head.tensor(TensorId::kValueBias),
        values);
  Scalar* attended = activations.attended.reserve(size);
  dense<Scalar>(values, sets, head.tensor(TensorId::kOutKernel), head.tensor(TensorId::kOutBias),
                attended);
  dense<Scalar>(attended, sets, head.tensor(TensorId::kReadout0Kernel),
                head.tensor(TensorId::kReadout0Bias), activations.readout_hidden.reserve(size));
}

template <class Scalar>
void classify_hidden(const Parameters<Scalar>& head, int sets, Activations<Scalar>& activations) {
  const std::size_t size = area(sets, head.shape.width);
  Scalar* hidden = activations.readout_hidden.data();
  gelu_in_place(hidden, activations.readout_hidden_slope.reserve(size), size);
  dense<Scalar>(hidden, sets, head.tensor(TensorId::kReadout1Kernel),
                head.tensor(TensorId::kReadout1Bias),
                activations.class_logits.reserve(area(sets, head.shape.classes)));
}

template <class Scalar>
void read_out(const Parameters<Scalar>& head, int sets, Activations<Scalar>& activations) {
  project_pooled(head, sets, activations);
  classify_hidden(head, sets, activations);
}

template <class Scalar>
void score_items(const Scalar* embedding, int items, int width, const Scalar* score_vector,
                 Scalar score_offset, Scalar* logits) {
  VectorView<Scalar> out(logits, items);
  out.noalias() = ConstMatrixView<Scalar>(embedding, items, width) *
                  ConstVectorView<Scalar>(score_vector, width);
  out.array() += score_offset;
}

template <class Scalar>
void pool_items(const Scalar* weights, const Scalar* embedding, int items, int width, bool add,
                Scalar* pooled) {
  VectorView<Scalar> out(pooled, width);
  const ConstMatrixView<Scalar> rows(embedding, items, width);
  const ConstVectorView<Scalar> share(weights, items);
  if (add) {
    out.noalias() += rows.transpose() * share;
  } else {
    out.noalias() = rows.transpose() * share;
  }
}

template <class Scalar>
void forward(const Parameters<Scalar>& head, const ItemSetsView& sets,
             const AttentionTransform& transform, Activations<Scalar>& activations) {
  const int width = head.shape.width;
  const int items = sets.items;
  const int rows = sets.sets * items;
  const std::size_t size = area(rows, width);
  activations.shape = head.shape;
  activations.sets = sets.sets;
  activations.items = items;
  embed_items(head, sets.priority, sets.item_class, rows, activations.item_hidden.reserve(size),
              activations.item_hidden_slope.reserve(size), activations.item_embedding.reserve(size),
              activations.item_embedding_slope.reserve(size));
  embed_queries(head, sets.query, sets.sets, activations);

  Scalar* logits = activations.attention_logits.reserve(static_cast<std::size_t>(rows));
  Scalar* attention = activations.attention.reserve(static_cast<std::size_t>(rows));
  Scalar* pooled = activations.pooled_embedding.reserve(area(sets.sets, width));
  activations.transform_results.resize(static_cast<std::size_t>(sets.sets));
  for (int s = 0; s < sets.sets; ++s) {
    const Scalar* embedding = activations.item_embedding.data() + area(s * items, width);
    score_items<Scalar>(embedding, items, width, activations.score_vector.data() + area(s, width),
                        activations.score_offset.data()[s], logits + area(s, items));
  }
  attention_weights<Scalar>({logits, static_cast<std::size_t>(sets.sets),
                             static_cast<std::size_t>(items), nullptr, head.learned()},
                            {&transform, 1}, attention, activations.transform_results);
  for (int s = 0; s < sets.sets; ++s) {
    pool_items<Scalar>(attention + area(s, items),
                       activations.item_embedding.data() + area(s * items, width), items, width,
                       false, pooled + area(s, width));
  }
  read_out(head, sets.sets, activations);
}

template <class Scalar>
int predicted_class(std::span<const Scalar> class_logits) {
  return static_cast<int>(std::max_element(class_logits.begin(), class_logits.end()) -
                          class_logits.begin());
}

template <class Scalar>
double cross_entropy(std::span<const Scalar> class_logits, int label) {
  const double max =
      static_cast<double>(*std::max_element(class_logits.begin(), class_logits.end()));
  double sum = 0;
  for (const Scalar logit : class_logits)
    sum += std::exp(static_cast<double>(logit) - max);
  return std::log(sum) - (static_cast<double>(class_logits[static_cast<std::size_t>(label)]) - max);
}

template void embed_items(const Parameters<float>&, const float*, const std::uint8_t*, int, float*,
                          float*, float*, float*);
template void embed_items(const Parameters<double>&, const float*, const std::uint8_t*, int,
                          double*, double*, double*, double*);
template void embed_queries(const Parameters<float>&, const float*, int, Activations<float>&);
template void embed_queries(const Parameters<double>&, const float*, int, Activations<double>&);
template void project_pooled(const Parameters<float>&, int, Activations<float>&);
template void classify_hidden(const Parameters<float>&, int, Activations<float>&);
template void read_out(const Parameters<float>&, int, Activations<float>&);
template void project_pooled(const Parameters<double>&, int, Activations<double>&);
template void classify_hidden(const Parameters<double>&, int, Activations<double>&);
template void read_out(const Parameters<double>&, int, Activations<double>&);
template void score_items(const float*, int, int, const float*, float, float*);
template void score_items(const double*, int, int, const double*, double, double*);
template void pool_items(const float*, const float*, int, int, bool, float*);
template void pool_items(const double*, const double*, int, int, bool, double*);
template void forward(const Parameters<float>&, const ItemSetsView&, const AttentionTransform&,
                      Activations<float>&);
template void forward(const Parameters<double>&, const ItemSetsView&, const AttentionTransform&,
                      Activations<double>&);
template int predicted_class(std::span<const float>);
template int predicted_class(std::span<const double>);
template double cross_entropy(std::span<const float>, int);
template double cross_entropy(std::span<const double>, int);

}  // namespace dispersion
