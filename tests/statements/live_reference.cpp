#include "tests/statements/live_reference.h"

#include <algorithm>
#include <cmath>

#include "core/attention/transforms.h"
#include "core/head/forward.h"
#include "core/task/draws.h"

namespace dispersion {
namespace {

// Of a logit in float, relative to the largest of its set, and of one near 0.
constexpr double kRelative = 3e-6;
constexpr double kAbsolute = 1e-6;

int first_largest(const double* values, int count) {
  return static_cast<int>(std::max_element(values, values + count) - values);
}

// 1 or 0: whether the class is right; -1: two class logits are closer than rounding.
int is_right(std::span<const double> class_logits, int label, double rounding) {
  std::vector<double> sorted(class_logits.begin(), class_logits.end());
  std::ranges::sort(sorted, std::greater());
  double size = 1;
  for (const double logit : class_logits)
    size = std::max(size, std::abs(logit));
  const bool all_equal = sorted.front() == sorted.back();
  if (!all_equal && sorted[0] - sorted[1] < rounding * size) return -1;
  return predicted_class(class_logits) == label ? 1 : 0;
}

}  // namespace

Truth TransformTruth::weight(int set, int item) const {
  const auto s = static_cast<std::size_t>(set);
  const auto i = static_cast<std::size_t>(item);
  return {weights[s][i], slack[s][i]};
}

void Count::add(bool yes, bool decided) {
  if (decided) {
    sure += yes ? 1 : 0;
  } else {
    ++open;
  }
}

double reference_beta(const AdaptiveRule& rule, double entropy) {
  if (entropy <= rule.gate) return 1;
  const double h = rule.guarded ? std::min(entropy, rule.peak) : entropy;
  double value = 0;
  for (int power = 0; power < 5; ++power)
    value += rule.coefficients[static_cast<std::size_t>(4 - power)] * std::pow(h, power);
  return std::max(1.0, value);
}

Truth mean(std::span<const Truth> all) {
  Truth result;
  for (const Truth& truth : all) {
    result.value += truth.value / static_cast<double>(all.size());
    result.tolerance += truth.tolerance / static_cast<double>(all.size());
  }
  return result;
}

LiveReference::LiveReference(const Parameters<float>& head, int items, int sets)
    : head_(convert_parameters<double>(head)), sets_(reference_sets(head, 1, items, sets)) {
  drawn_.resize(sets, items);
  draw_item_sets(1, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(items), 0, drawn_);
  for (int set = 0; set < sets; ++set) {
    const double* e = row(set);
    double largest = 0;
    for (int item = 0; item < items; ++item)
      largest = std::max(largest, std::abs(e[item]));
    maximum_.push_back(
        first_largest(sets_.priority.data() + static_cast<std::size_t>(set) * items, items));
    rounding_.push_back(kRelative * largest + std::min(kAbsolute, kRelative * largest));
  }
}

double LiveReference::priority(int set, int item) const {
  return sets_.priority[static_cast<std::size_t>(set) * static_cast<std::size_t>(items()) +
                        static_cast<std::size_t>(item)];
}

int LiveReference::item_class(int set, int item) const {
  return drawn_.item_class[static_cast<std::size_t>(set) * static_cast<std::size_t>(items()) +
                           static_cast<std::size_t>(item)];
}

double LiveReference::spread(int set) const {
  const auto [low, high] = std::minmax_element(row(set), row(set) + items());
  return *high - *low;
}

int LiveReference::shown(int set, int column) const {
  std::vector<int> order(static_cast<std::size_t>(items()));
  for (int item = 0; item < items(); ++item)
    order[static_cast<std::size_t>(item)] = item;
  std::ranges::stable_sort(order,
                           [&](int a, int b) { return priority(set, a) > priority(set, b); });
  return order[static_cast<std::size_t>(std::min(16, items()) - 1 - column)];
}

Count LiveReference::count(const std::function<double(int set)>& kind) const {
  Count count;
  for (int set = 0; set < sets(); ++set) {
    const double side = kind(set);
    count.add(side > 0, std::abs(side) > 1);
  }
  return count;
}

TransformTruth LiveReference::under(const AttentionTransform& transform) const {
  TransformTruth truth;
  const bool softmax = transform_definition(transform.id).beta != nullptr;
  double shift = 0;  // of e / theta by rounding, at most
  for (int set = 0; set < sets(); ++set) {
    const double* e = row(set);
    const double plain = reference_entropy(reference_weights(e, items(), transform.theta));
    const double eps = rounding(set) / transform.theta;
    const double of_plain = std::min(std::log(items()) + 1e-9, 2 * eps * (plain + 1) + 1e-5);
    Truth beta = {1, 0};
    if (transform.id == TransformId::kAdaptive) {
      beta.value = reference_beta(transform.rule, plain);
      for (const double h : {plain - of_plain, plain + of_plain})
        beta.tolerance =
            std::max(beta.tolerance, std::abs(reference_beta(transform.rule, h) - beta.value));
    }
    if (transform.id == TransformId::kLogN)
      beta.value = std::log(double(items())) / std::log(transform.settings[0]);
    std::vector<double> weights(static_cast<std::size_t>(items()));
    if (softmax) {
      weights = reference_weights(e, items(), transform.theta / beta.value);
    } else {
      attention_weights<double>({e, static_cast<std::size_t>(items())}, transform, weights);
    }
    const double moved =
        beta.value * eps + spread(set) * beta.tolerance / transform.theta + 1e-6 * beta.value;
    shift = std::max(shift, moved);
    std::vector<double> slack;
    for (const double weight : weights) {
      slack.push_back(softmax ? std::min(1.0, weight * std::expm1(std::min(50.0, 2 * moved))) + 1e-7
                      : moved > 1e-2 ? 1
                                     : std::min(1.0, 50 * moved));
    }
    const double entropy = reference_entropy(weights);
    const double room = std::log(items()) + 1e-9;
    truth.entropy.push_back({entropy, std::min(room, (softmax        ? 2 * moved * (entropy + 1)
                                                      : moved > 1e-3 ? room
                                                                     : 300 * moved) +
                                                         1e-5)});
    const double tau = transform.theta / beta.value;
    truth.temperature.push_back({tau, tau * beta.tolerance / beta.value + 1e-6 * tau});
    truth.beta.push_back(beta);
    truth.weights.push_back(std::move(weights));
    truth.slack.push_back(std::move(slack));
  }
  Activations<double> activations;
  forward(head_, drawn_.view(), transform, activations);
  const auto classes = static_cast<std::size_t>(head_.shape.classes);
  for (int set = 0; set < sets(); ++set) {
    const std::span<const double> logits(
        activations.class_logits.data() + static_cast<std::size_t>(set) * classes, classes);
    // The class logits are about as sensitive as the weights.
    truth.right.push_back(
        is_right(logits, sets_.label[static_cast<std::size_t>(set)], 1e-4 + 20 * shift));
  }
  return truth;
}

}  // namespace dispersion
