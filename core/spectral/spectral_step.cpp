#include "core/spectral/spectral_step.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/head/backward_parts.h"
#include "core/head/dense.h"
#include "core/head/forward.h"
#include "core/math/area.h"
#include "core/math/product.h"
#include "core/spectral/fixed_count.h"

namespace dispersion {
namespace {

// to[k] += factor * from[k]
template <int kCount, class Scalar>
void add_scaled(Scalar factor, const double* from, int count, Scalar* to) {
  const int n = kCount > 0 ? kCount : count;
  for (int k = 0; k < n; ++k)
    to[k] = std::fma(factor, static_cast<Scalar>(from[k]), to[k]);
}

}  // namespace

template <class Scalar>
void SpectralStep<Scalar>::set_points(HeadShape shape, int item_points, int query_points) {
  if (shape == shape_ && item_points == items_.count() && query_points == queries_.count()) return;
  shape_ = shape;
  items_ = chebyshev_points(item_points);
  queries_ = chebyshev_points(query_points);
  node_sets_.resize(1, nodes());
  for (int c = 0; c < shape.classes; ++c) {
    for (int k = 0; k < item_points; ++k) {
      node_sets_.priority[area(c, item_points) + static_cast<std::size_t>(k)] = items_.point[k];
      node_sets_.item_class[area(c, item_points) + static_cast<std::size_t>(k)] =
          static_cast<std::uint8_t>(c);
    }
  }
  node_sets_.query = queries_.point;
  embedding_.reserve(area(nodes(), shape.width));
  const int middle = shape.classes / 2 * item_points;
  halves_[0].first = 0;
  halves_[0].count = middle;
  halves_[1].first = middle;
  halves_[1].count = nodes() - middle;
}

template <class Scalar>
ItemSetsView SpectralStep<Scalar>::half_view(const Half& half) const {
  return {.sets = 1,
          .items = half.count,
          .priority = node_sets_.priority.data() + half.first,
          .item_class = node_sets_.item_class.data() + half.first};
}

template <class Scalar>
void SpectralStep<Scalar>::prepare(int task, const Parameters<Scalar>& head,
                                   const ItemSetsView& batch) {
  const int width = shape_.width;
  if (task < 2) {
    Half& half = halves_[static_cast<std::size_t>(task)];
    const std::size_t size = area(half.count, width);
    const ItemSetsView items = half_view(half);
    embed_items(head, items.priority, items.item_class, half.count,
                half.activations.item_hidden.reserve(size),
                half.activations.item_hidden_slope.reserve(size),
                embedding_.data() + area(half.first, width),
                half.activations.item_embedding_slope.reserve(size));
  } else if (task == 2) {
    embed_queries(head, node_sets_.query.data(), queries_.count(), query_);
  } else {
    lagrange_basis(items_, batch.priority, batch.sets * batch.items,
                   item_basis_.reserve(area(batch.sets * batch.items, items_.count())));
    const std::size_t size = area(batch.sets, queries_.count());
    double* query_basis = query_basis_.reserve(size);
    lagrange_basis(queries_, batch.query, batch.sets, query_basis);
    Scalar* rounded = query_basis_rounded_.reserve(size);
    for (std::size_t i = 0; i < size; ++i)
      rounded[i] = static_cast<Scalar>(query_basis[i]);
  }
}

// H without its mean over the nodes.
template <class Scalar>
const double* SpectralStep<Scalar>::centred_embedding(SpectralSpace<Scalar>& space) const {
  const int width = shape_.width;
  double* mean = space.mean_embedding.reserve(static_cast<std::size_t>(width));
  std::fill_n(mean, width, 0.0);
  for (int k = 0; k < nodes(); ++k) {
    const Scalar* row = embedding_.data() + area(k, width);
    for (int j = 0; j < width; ++j)
      mean[j] += static_cast<double>(row[j]);
  }
  double* centred = space.centred_embedding.reserve(area(nodes(), width));
  for (int k = 0; k < nodes(); ++k) {
    const Scalar* from = embedding_.data() + area(k, width);
    double* to = centred + area(k, width);
    for (int j = 0; j < width; ++j)
      to[j] = static_cast<double>(from[j]) - mean[j] / nodes();
  }
  return centred;
}

// Logits at the nodes for the queries of a slice: [count, nodes]. Softmax does not see what all
// logits of a set have in common, so the share of the key bias and of the mean embedding is left
// out, which keeps rounding small.
template <class Scalar>
void SpectralStep<Scalar>::set_logits(int first, int count, SpectralSpace<Scalar>& space) const {
  const int points = queries_.count();
  const std::size_t size = area(points, shape_.width);
  double* vectors = space.score_vectors.reserve(size);
  for (std::size_t i = 0; i < size; ++i)
    vectors[i] = static_cast<double>(query_.score_vector.data()[i]);
  double* at_points = space.node_logits.reserve(area(points, nodes()));
  multiply(Transpose::kNo, Transpose::kYes, points, nodes(), shape_.width, vectors,
           centred_embedding(space), Into::kReplace, at_points);
  multiply(Transpose::kNo, Transpose::kNo, count, nodes(), points,
           query_basis_.data() + area(first, points), at_points, Into::kReplace,
           space.set_logits.reserve(area(count, nodes())));
}

// Logits and weights of the items of a slice, and the weights gathered at the nodes.
template <class Scalar>
void SpectralStep<Scalar>::attend(int first, const ItemSetsView& sets,
                                  const AttentionTransform& transform,
                                  SpectralSpace<Scalar>& space) const {
  const int items = sets.items;
  const int points = items_.count();
  Scalar* logits = space.activations.attention_logits.reserve(area(sets.sets, items));
  Scalar* weights = space.activations.attention.reserve(area(sets.sets, items));
  space.activations.transform_results.resize(static_cast<std::size_t>(sets.sets));
  Scalar* gathered = space.node_weights.reserve(area(sets.sets, nodes()));
  std::fill_n(gathered, area(sets.sets, nodes()), Scalar(0));
  with_fixed_count(points, [&](auto fixed) {
    for (int s = 0; s < sets.sets; ++s) {
      const double* basis = item_basis_.data() + area((first + s) * items, points);
      const std::uint8_t* item_class = sets.item_class + area(s, items);
      const double* at_nodes = space.set_logits.data() + area(s, nodes());
      Scalar* row = logits + area(s, items);
      for (int i = 0; i < items; ++i) {
        row[i] = static_cast<Scalar>(short_dot<fixed()>(
            basis + area(i, points), at_nodes + area(item_class[i], points), points));
      }
    }
    attention_weights<Scalar>(
        {logits, static_cast<std::size_t>(sets.sets), static_cast<std::size_t>(items)},
        {&transform, 1}, weights, space.activations.transform_results);
    for (int s = 0; s < sets.sets; ++s) {
      const double* basis = item_basis_.data() + area((first + s) * items, points);
      const std::uint8_t* item_class = sets.item_class + area(s, items);
      const Scalar* row_weights = weights + area(s, items);
      Scalar* to = gathered + area(s, nodes());
      for (int i = 0; i < items; ++i) {
        add_scaled<fixed()>(row_weights[i], basis + area(i, points), points,
                            to + area(item_class[i], points));
      }
    }
  });
}

// From d / d node_weights to d / d set_logits, through weights and logits of the items.
template <class Scalar>
void SpectralStep<Scalar>::attend_back(int first, const ItemSetsView& sets,
                                       const AttentionTransform& transform,
                                       SpectralSpace<Scalar>& space) const {
  const int items = sets.items;
  const int points = items_.count();
  const std::size_t count = static_cast<std::size_t>(items);
  Scalar* weight_gradient = space.backward.weight_gradient.reserve(count);
  Scalar* logit_gradient = space.backward.logit_gradient.reserve(count);
  Scalar* scattered = space.set_logit_gradient.reserve(area(sets.sets, nodes()));
  std::fill_n(scattered, area(sets.sets, nodes()), Scalar(0));
  with_fixed_count(points, [&](auto fixed) {
    for (int s = 0; s < sets.sets; ++s) {
      const double* basis = item_basis_.data() + area((first + s) * items, points);
      const std::uint8_t* item_class = sets.item_class + area(s, items);
      const Scalar* at_nodes = space.node_weight_gradient.data() + area(s, nodes());
      for (int i = 0; i < items; ++i) {
        weight_gradient[i] = static_cast<Scalar>(short_dot<fixed()>(
            basis + area(i, points), at_nodes + area(item_class[i], points), points));
      }
      const WeightedRow<Scalar> weighted = {
          {space.activations.attention_logits.data() + area(s, items), count},
          {space.activations.attention.data() + area(s, items), count},
          space.activations.transform_results[static_cast<std::size_t>(s)]};
      attention_weights_backward<Scalar>(transform, weighted, BetaGradient::kStopped,
                                         {weight_gradient, count}, {logit_gradient, count});
      Scalar* to = scattered + area(s, nodes());
      for (int i = 0; i < items; ++i) {
        add_scaled<fixed()>(logit_gradient[i], basis + area(i, points), points,
                            to + area(item_class[i], points));
      }
    }
  });
}

template <class Scalar>
BatchLoss SpectralStep<Scalar>::run_slice(int slice, const Parameters<Scalar>& head,
                                          const ItemSetsView& batch,
                                          const AttentionTransform& transform,
                                          SpectralSpace<Scalar>& space,
                                          Parameters<Scalar>& gradient) {
  SliceGradient& result = slice_gradients_[static_cast<std::size_t>(slice)];
  const int first = slice_begin(slice, batch.sets);
  const int count = slice_begin(slice + 1, batch.sets) - first;
  result.used = count > 0;
  if (!result.used) return {};
  const int width = shape_.width;
  const ItemSetsView sets = batch.slice(first, count);
  space.activations.shape = shape_;
  space.activations.sets = count;
  space.activations.items = batch.items;
  set_logits(first, count, space);
  attend(first, sets, transform, space);
  multiply(Transpose::kNo, Transpose::kNo, count, width, nodes(), space.node_weights.data(),
           embedding_.data(), Into::kReplace,
           space.activations.pooled_embedding.reserve(area(count, width)));
  read_out(head, count, space.activations);

  const BatchLoss loss =
      loss_backward(space.activations, sets, Scalar(1) / static_cast<Scalar>(batch.sets),
                    space.backward.class_logit_gradient.reserve(area(count, shape_.classes)));
  const Scalar* pooled_gradient =
      readout_backward(head, space.activations, space.backward, gradient);
  multiply(Transpose::kNo, Transpose::kYes, count, nodes(), width, pooled_gradient,
           embedding_.data(), Into::kReplace,
           space.node_weight_gradient.reserve(area(count, nodes())));
  multiply(Transpose::kYes, Transpose::kNo, nodes(), width, count, space.node_weights.data(),
           pooled_gradient, Into::kReplace, result.embedding.reserve(area(nodes(), width)));
  attend_back(first, sets, transform, space);
  multiply(Transpose::kYes, Transpose::kNo, queries_.count(), nodes(), count,
           query_basis_rounded_.data() + area(first, queries_.count()),
           space.set_logit_gradient.data(), Into::kReplace,
           result.node_logits.reserve(area(queries_.count(), nodes())));
  return loss;
}

// d / d H of a half: what pooling gave, slice by slice, and what the logits give.
template <class Scalar>
void SpectralStep<Scalar>::finish_items(Half& half, const Parameters<Scalar>& head,
                                        Parameters<Scalar>& gradient) {
  const int width = shape_.width;
  const int points = queries_.count();
  const std::size_t size = area(half.count, width);
  Scalar* node_logits = half.node_logit_gradient.reserve(area(points, half.count));
  std::fill_n(node_logits, area(points, half.count), Scalar(0));
  Scalar* embedding_gradient = half.backward.item_hidden_gradient.reserve(size);
  bool first = true;
  for (const SliceGradient& slice : slice_gradients_) {
    if (!slice.used) continue;
    const Scalar* from = slice.embedding.data() + area(half.first, width);
    for (std::size_t i = 0; i < size; ++i)
      embedding_gradient[i] = first ? from[i] : embedding_gradient[i] + from[i];
    first = false;
    for (int j = 0; j < points; ++j) {
      const Scalar* row = slice.node_logits.data() + area(j, nodes()) + half.first;
      for (int k = 0; k < half.count; ++k)
        node_logits[area(j, half.count) + static_cast<std::size_t>(k)] += row[k];
    }
  }
  multiply(Transpose::kYes, Transpose::kNo, half.count, width, points, node_logits,
           query_.score_vector.data(), Into::kAdd, embedding_gradient);
  Scalar* slope = half.activations.item_embedding_slope.data();
  for (std::size_t i = 0; i < size; ++i)
    slope[i] *= embedding_gradient[i];
  item_backward(head, half_view(half), half.activations, half.backward, gradient);
}

// The gradient with respect to the score vectors is a small difference of large sums: over sets,
// whose items have gradients that add up to 0, and over points. Hence double, and H without its
// mean.
template <class Scalar>
void SpectralStep<Scalar>::finish_queries(const Parameters<Scalar>& head,
                                          SpectralSpace<Scalar>& space,
                                          Parameters<Scalar>& gradient) {
  const int points = queries_.count();
  double* node_logits = space.node_logits.reserve(area(points, nodes()));
  std::fill_n(node_logits, area(points, nodes()), 0.0);
  for (const SliceGradient& slice : slice_gradients_) {
    if (!slice.used) continue;
    for (std::size_t i = 0; i < area(points, nodes()); ++i)
      node_logits[i] += static_cast<double>(slice.node_logits.data()[i]);
  }
  const std::size_t size = area(points, shape_.width);
  double* vectors = space.score_vectors.reserve(size);
  multiply(Transpose::kNo, Transpose::kNo, points, shape_.width, nodes(), node_logits,
           centred_embedding(space), Into::kReplace, vectors);
  Scalar* score_gradient = query_back_.set_gradient_a.reserve(size);
  for (std::size_t i = 0; i < size; ++i)
    score_gradient[i] = static_cast<Scalar>(vectors[i]);
  query_back_.set_gradient_b.reserve(size);
  // The key bias moves all logits of a set alike: its gradient is exactly 0.
  std::fill_n(query_back_.score_offset_gradient.reserve(static_cast<std::size_t>(points)), points,
              Scalar(0));
  const ItemSetsView queries{.sets = points, .query = node_sets_.query.data()};
  query_backward(head, queries, score_gradient, query_, query_back_, gradient);
}

template <class Scalar>
void SpectralStep<Scalar>::finish(int task, const Parameters<Scalar>& head,
                                  SpectralSpace<Scalar>& space, Parameters<Scalar>& gradient) {
  if (task < 2) {
    finish_items(halves_[static_cast<std::size_t>(task)], head, gradient);
  } else {
    finish_queries(head, space, gradient);
  }
}

template class SpectralStep<float>;
template class SpectralStep<double>;

}  // namespace dispersion
