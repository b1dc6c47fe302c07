#include "core/verify/head_runs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/head/forward.h"
#include "core/head/optimiser.h"

namespace dispersion {

template <class Scalar>
BatchRun<Scalar> run_batch(const Parameters<Scalar>& head, const ItemSets& sets,
                           const AttentionTransform& transform, BetaGradient beta_gradient,
                           const Recipe& recipe) {
  BatchRun<Scalar> run;
  const ItemSetsView view = sets.view();
  forward(head, view, transform, run.activations);
  const auto classes = static_cast<std::size_t>(head.shape.classes);
  for (std::size_t s = 0; s < sets.label.size(); ++s) {
    const std::span<const Scalar> logits(run.activations.class_logits.data() + s * classes,
                                         classes);
    run.cross_entropy_each.push_back(cross_entropy(logits, sets.label[s]));
  }
  run.gradient = Parameters<Scalar>(head.shape);
  BackwardWorkspace<Scalar> workspace;
  const BatchLoss loss =
      backward(head, view, transform, beta_gradient, static_cast<Scalar>(1.0 / sets.sets),
               run.activations, workspace, run.gradient);
  run.cross_entropy = loss.cross_entropy / sets.sets;
  run.l2 = l2_loss(recipe, head);
  add_l2_gradient(recipe, head, run.gradient);
  return run;
}

template BatchRun<float> run_batch(const Parameters<float>&, const ItemSets&,
                                   const AttentionTransform&, BetaGradient, const Recipe&);
template BatchRun<double> run_batch(const Parameters<double>&, const ItemSets&,
                                    const AttentionTransform&, BetaGradient, const Recipe&);

namespace {

// Sets are evaluated in slices of about this many items, so that the activations stay small.
constexpr int kItemsPerSlice = 4096;

void append(std::vector<double>& all, auto first, std::size_t count) {
  all.insert(all.end(), first, first + static_cast<std::ptrdiff_t>(count));
}

// The largest value less the second largest; infinite for a single value.
double gap(std::span<const double> values) {
  double largest = -std::numeric_limits<double>::infinity();
  double second = largest;
  for (const double value : values) {
    second = std::max(second, std::min(value, largest));
    largest = std::max(largest, value);
  }
  return largest - second;
}

// Evaluates slices of the sets and appends their results.
template <class Scalar>
class SetEvaluator {
 public:
  SetEvaluator(const Parameters<Scalar>& head, Evaluation& result) : head_(head), result_(result) {}

  void run(const ItemSetsView& sets) {
    forward(head_, sets, AttentionTransform{}, activations_);
    const auto count = static_cast<std::size_t>(sets.sets);
    const std::size_t items = static_cast<std::size_t>(sets.items);
    append(result_.logits, activations_.attention_logits.data(), count * items);
    keep_softmax(sets);
    keep_classes(count, result_.class_logits, result_.predicted, result_.predicted_margin);
    apply_adaptive(sets);
    keep_classes(count, result_.adaptive_class_logits, result_.predicted_adaptive,
                 result_.predicted_adaptive_margin);
  }

 private:
  void keep_softmax(const ItemSetsView& sets) {
    const auto items = static_cast<std::size_t>(sets.items);
    for (std::size_t s = 0; s < static_cast<std::size_t>(sets.sets); ++s) {
      const int top = first_largest({sets.priority + s * items, items});
      const Scalar* logits = activations_.attention_logits.data() + s * items;
      const Scalar* weights = activations_.attention.data() + s * items;
      const std::vector<double> row(logits, logits + items);
      const auto [low, high] = std::minmax_element(row.begin(), row.end());
      result_.argmax_rho.push_back(top);
      result_.argmax_logit.push_back(
          static_cast<std::int32_t>(std::max_element(row.begin(), row.end()) - row.begin()));
      result_.logit_max.push_back(*high);
      result_.logit_min.push_back(*low);
      result_.delta.push_back(*high - *low);
      result_.logit_gap.push_back(gap(row));
      result_.entropy.push_back(activations_.transform_results[s].entropy_before);
      result_.entropy_published.push_back(
          published_entropy(std::vector<double>(weights, weights + items)));
      result_.attention_on_max.push_back(static_cast<double>(weights[top]));
      append(result_.attention, weights, items);
    }
  }

  // Reads out again with the weights of adaptive temperature, from the same embeddings and logits.
  void apply_adaptive(const ItemSetsView& sets) {
    AttentionTransform transform;
    transform.id = TransformId::kAdaptive;
    const auto items = static_cast<std::size_t>(sets.items);
    const auto width = static_cast<std::size_t>(head_.shape.width);
    std::vector<Scalar> weights(items);
    for (std::size_t s = 0; s < static_cast<std::size_t>(sets.sets); ++s) {
      const std::span<const Scalar> logits(activations_.attention_logits.data() + s * items, items);
      const TransformResult transform_result =
          attention_weights<Scalar>(logits, transform, weights);
      pool_items<Scalar>(weights.data(), activations_.item_embedding.data() + s * items * width,
                         sets.items, head_.shape.width, false,
                         activations_.pooled_embedding.data() + s * width);
      const int top = first_largest({sets.priority + s * items, items});
      result_.beta.push_back(transform_result.beta);
      result_.adaptive_attention_on_max.push_back(
          static_cast<double>(weights[static_cast<std::size_t>(top)]));
      append(result_.attention_adaptive, weights.begin(), items);
    }
    read_out(head_, sets.sets, activations_);
  }

  void keep_classes(std::size_t sets, std::vector<double>& class_logits,
                    std::vector<std::int32_t>& predicted, std::vector<double>& margin) {
    const auto classes = static_cast<std::size_t>(head_.shape.classes);
    for (std::size_t s = 0; s < sets; ++s) {
      const std::span<const Scalar> row(activations_.class_logits.data() + s * classes, classes);
      predicted.push_back(predicted_class(row));
      margin.push_back(gap(std::vector<double>(row.begin(), row.end())));
      append(class_logits, row.begin(), classes);
    }
  }

  const Parameters<Scalar>& head_;
  Evaluation& result_;
  Activations<Scalar> activations_;
};

}  // namespace

double published_entropy(const std::vector<double>& weights) {
  double sum = 0;
  for (const double p : weights)
    sum -= p * std::log(p + 1e-9);
  return sum;
}

template <class Scalar>
Evaluation evaluate_sets(const Parameters<Scalar>& head, const ItemSets& sets) {
  Evaluation result;
  SetEvaluator<Scalar> run(head, result);
  const int step = std::max(1, kItemsPerSlice / sets.items);
  for (int first = 0; first < sets.sets; first += step) {
    run.run(sets.view().slice(first, std::min(step, sets.sets - first)));
  }
  return result;
}

template Evaluation evaluate_sets(const Parameters<float>&, const ItemSets&);
template Evaluation evaluate_sets(const Parameters<double>&, const ItemSets&);

}  // namespace dispersion
