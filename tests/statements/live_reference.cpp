#include "tests/statements/live_reference.h"

#include <algorithm>
#include <cmath>

#include "core/attention/transforms.h"
#include "core/head/forward.h"
#include "core/task/draws.h"

namespace dispersion {
namespace {

// One operation in float is off by half of this, relative. Four of them make the logarithm of a
// weight: a difference of logits, its product with 1 / theta, which is one more, and the
// exponential.
constexpr double kFloat = 0x1p-23;
// Weights of transforms that are no softmax are found in double, as here, and stored as floats.
constexpr double kStored = 1e-6;
// What sums in double leave of an entropy of 0, and of one of log n, above which none is.
constexpr double kNearZero = 1e-12;
constexpr double kNearLogN = 1e-9;

int first_largest(const double* values, int count) {
  return static_cast<int>(std::max_element(values, values + count) - values);
}

double most_entropy(std::size_t items) {
  return std::log(static_cast<double>(items)) + kNearLogN;
}

// Whether logits that are off by this much each may be in another order where that moves whole
// weights from item to item: hard attention's largest, and the last that top-k keeps.
bool may_jump(std::span<const double> e, const AttentionTransform& transform, double rounding) {
  std::size_t kept = e.size();
  if (transform.id == TransformId::kHard) kept = 1;
  if (transform.id == TransformId::kTopK) kept = static_cast<std::size_t>(transform.settings[0]);
  if (rounding == 0 || kept >= e.size()) return false;
  std::vector<double> sorted(e.begin(), e.end());
  std::ranges::sort(sorted, std::greater());
  return sorted[kept - 1] - sorted[kept] <= 2 * rounding;
}

// What is no softmax, `off` as above. Where nothing jumps, a weight moves by twice `off` at most.
// Sparsemax: w = z - tau, and tau moves by `off` itself. Entmax-1.5: w = (z / 2 - tau)^2, whose
// root is 1 at most, and z / 2 and tau move by half of `off`. Softmax over the k that are kept: the
// odds of w move by twice `off` in their logarithm, and w by a quarter of that.
SoftmaxTruth other_truth(std::span<const double> e, const AttentionTransform& transform,
                         double off) {
  SoftmaxTruth truth;
  truth.weights.resize(e.size());
  attention_weights<double>(e, transform, truth.weights);
  const double moved =
      may_jump(e, transform, off * transform.theta) ? 1 : std::min(1.0, 2 * off + kStored);
  truth.slack.assign(e.size(), moved);
  truth.entropy.value = reference_entropy(truth.weights);
  // An item more or less with that weight, and the others moved by it. -x log x stops growing at
  // 1/e, before which 0.3 is.
  const auto positive = std::ranges::count_if(truth.weights, [](double w) { return w > 0; });
  const double each = moved * (1 - std::log(std::min(moved, 0.3)));
  truth.entropy.tolerance =
      std::min(most_entropy(e.size()), static_cast<double>(positive + 1) * each);
  return truth;
}

// 1 or 0: whether the class is right; -1: two class logits are closer than `rounding`, relative to
// the largest.
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

SoftmaxTruth softmax_truth(std::span<const double> e, double theta, const Truth& beta, double off) {
  SoftmaxTruth truth;
  truth.weights = reference_weights(e.data(), static_cast<int>(e.size()), theta / beta.value);
  truth.entropy.value = reference_entropy(truth.weights);
  truth.entropy.tolerance = kFloat * truth.entropy.value + kNearZero;
  const double of_beta = beta.tolerance > 0 ? beta.tolerance / beta.value : 0;
  for (const double weight : truth.weights) {
    const double distance = weight > 0 ? truth.entropy.value - std::log(weight) : 0;
    const double moved = 2 * beta.value * off + 2 * kFloat * (1 + distance) + distance * of_beta;
    const double slack = std::min(1.0, weight * std::expm1(std::min(50.0, moved)));
    truth.slack.push_back(slack);
    truth.entropy.tolerance += slack * (1 + distance);  // dH = -sum (1 + log w) dw
  }
  truth.entropy.tolerance = std::min(truth.entropy.tolerance, most_entropy(e.size()));
  return truth;
}

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

LiveReference::LiveReference(const Parameters<float>& head, int items, int sets, LogitsOf logits)
    : head_(convert_parameters<double>(head)),
      sets_(logits == LogitsOf::kFrames ? cpu_sets(head, 1, items, sets)
                                        : reference_sets(head, 1, items, sets)) {
  drawn_.resize(sets, items);
  draw_item_sets(1, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(items), 0, drawn_);
  for (int set = 0; set < sets; ++set) {
    const double* e = row(set);
    double largest = 0;
    for (int item = 0; item < items; ++item)
      largest = std::max(largest, std::abs(e[item]));
    maximum_.push_back(
        first_largest(sets_.priority.data() + static_cast<std::size_t>(set) * items, items));
    largest_.push_back(largest);
  }
}

double LiveReference::rounding(int set) const {
  return kFloat * largest(set) + sets_.rounding;
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

TransformTruth LiveReference::weights_under(const AttentionTransform& transform) const {
  TransformTruth truth;
  const bool softmax = transform_definition(transform.id).beta != nullptr;
  for (int set = 0; set < sets(); ++set) {
    const std::span<const double> e(row(set), static_cast<std::size_t>(items()));
    const double off = sets_.rounding / transform.theta;
    Truth beta = {1, 0};
    if (transform.id == TransformId::kAdaptive) {
      const Truth plain = softmax_truth(e, transform.theta, beta, off).entropy;
      beta.value = reference_beta(transform.rule, plain.value);
      for (const double h : {plain.value - plain.tolerance, plain.value + plain.tolerance})
        beta.tolerance =
            std::max(beta.tolerance, std::abs(reference_beta(transform.rule, h) - beta.value));
    }
    if (transform.id == TransformId::kLogN)
      beta.value = std::log(double(items())) / std::log(transform.settings[0]);
    SoftmaxTruth of_set =
        softmax ? softmax_truth(e, transform.theta, beta, off) : other_truth(e, transform, off);
    const double tau = transform.theta / beta.value;
    truth.temperature.push_back({tau, tau * beta.tolerance / beta.value + kFloat * tau});
    truth.beta.push_back(beta);
    truth.entropy.push_back(of_set.entropy);
    truth.weights.push_back(std::move(of_set.weights));
    truth.slack.push_back(std::move(of_set.slack));
  }
  return truth;
}

TransformTruth LiveReference::under(const AttentionTransform& transform) const {
  TransformTruth truth = weights_under(transform);
  Activations<double> activations;
  forward(head_, drawn_.view(), transform, activations);
  const auto classes = static_cast<std::size_t>(head_.shape.classes);
  for (std::size_t set = 0; set < truth.slack.size(); ++set) {
    const std::span<const double> logits(activations.class_logits.data() + set * classes, classes);
    // Weights that move by so much in all take the mixture that part of the way from one item to
    // others, over which class logits change by a few times their size: 20 leaves room. Without it
    // they are float sums of some hundred terms through three layers: 1e-4.
    double moved = 0;
    for (const double slack : truth.slack[set])
      moved += slack;
    truth.right.push_back(is_right(logits, sets_.label[set], 1e-4 + 20 * std::min(1.0, moved)));
  }
  return truth;
}

}  // namespace dispersion
