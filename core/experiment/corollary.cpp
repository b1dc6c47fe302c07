#include "core/experiment/corollary.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/head/forward.h"

namespace dispersion {
namespace {

constexpr double kLargestCount = 1e300;
constexpr double kLargestWhole = 0x1p53;  // up to which doubles hold all whole numbers
constexpr int kCurvePoints = 641;

void require_pair(const CorollaryPair& pair, int classes) {
  if (!(pair.priority_a > pair.priority_b)) {
    throw std::invalid_argument("priority a must be above priority b, not " +
                                std::to_string(pair.priority_a) + " against " +
                                std::to_string(pair.priority_b));
  }
  const auto known = [classes](int c) { return c >= 0 && c < classes; };
  if (!known(pair.class_a) || !known(pair.class_b) || pair.class_a == pair.class_b) {
    throw std::invalid_argument("the classes must be two of 0 to " + std::to_string(classes - 1) +
                                ", not " + std::to_string(pair.class_a) + " and " +
                                std::to_string(pair.class_b));
  }
  if (!(pair.theta > 0)) throw std::invalid_argument("theta must be above 0");
}

// The smallest count for which `holds` is true, between one where it is false and one where it is
// true.
double bisect(double without, double with, const std::function<bool(double)>& holds) {
  for (;;) {
    double middle = without + (with - without) / 2;
    if (with <= kLargestWhole) middle = std::floor(middle);
    if (middle <= without || middle >= with) return with;
    (holds(middle) ? with : without) = middle;
  }
}

// The answer of the head to a set {a, b, ..., b}, as a function of the weight of a.
class Mixture {
 public:
  Mixture(const Parameters<float>& head, const CorollaryPair& pair)
      : head_(convert_parameters<double>(head)) {
    const ItemSetsView two = {1, 2, priority_.data(), item_class_.data(), &query_, &label_};
    priority_ = {static_cast<float>(pair.priority_a), static_cast<float>(pair.priority_b)};
    item_class_ = {static_cast<std::uint8_t>(pair.class_a),
                   static_cast<std::uint8_t>(pair.class_b)};
    query_ = static_cast<float>(pair.query);
    forward(head_, two, AttentionTransform{}, activations_);
    logit_a = activations_.attention_logits.data()[0];
    logit_b = activations_.attention_logits.data()[1];
  }

  // The class logits when a has this weight and all b together have the rest.
  std::span<const double> class_logits(double weight) {
    const int width = head_.shape.width;
    const double* a = activations_.item_embedding.data();
    const double* b = a + width;
    double* pooled = activations_.pooled_embedding.data();
    for (int i = 0; i < width; ++i)
      pooled[i] = weight * a[i] + (1 - weight) * b[i];
    read_out(head_, 1, activations_);
    return {activations_.class_logits.data(), static_cast<std::size_t>(head_.shape.classes)};
  }
  int predicted(double weight) { return predicted_class(class_logits(weight)); }
  double probability(double weight, int wanted) {
    return std::exp(-cross_entropy(class_logits(weight), wanted));
  }

  double logit_a = 0;
  double logit_b = 0;

 private:
  Parameters<double> head_;
  std::array<float, 2> priority_ = {};
  std::array<std::uint8_t, 2> item_class_ = {};
  float query_ = 0;
  std::int32_t label_ = 0;
  Activations<double> activations_;
};

// Ten times the largest n that was found, so that the curve shows what follows it.
double curve_end(const Corollary& result) {
  double end = result.first_error.value_or(1);
  for (const FormatLimit& limit : result.limits)
    end = std::max(end, limit.items.value_or(1));
  return std::min(10 * end, kLargestCount);
}

}  // namespace

double weight_of_a(double d, double items) {
  return 1 / (1 + (items - 1) * std::exp(-d));
}

std::optional<double> smallest_count(const std::function<bool(double)>& holds) {
  if (holds(1)) return 1;
  for (double count = 2; count <= kLargestCount; count *= 2) {
    if (holds(count)) return bisect(count / 2, count, holds);
  }
  return std::nullopt;
}

Corollary corollary_of(const Parameters<float>& head, const CorollaryPair& pair) {
  require_pair(pair, head.shape.classes);
  Mixture mixture(head, pair);
  Corollary result{.pair = pair, .first_error = {}, .limits = {}, .curve = {}};
  result.logit_a = mixture.logit_a;
  result.logit_b = mixture.logit_b;
  result.d = (mixture.logit_a - mixture.logit_b) / pair.theta;
  result.predicted_of_a = mixture.predicted(1);
  result.predicted_of_b = mixture.predicted(0);
  const auto weight = [&](double items) { return weight_of_a(result.d, items); };
  result.first_error = smallest_count(
      [&](double items) { return mixture.predicted(weight(items)) != pair.class_a; });
  if (result.first_error) {
    result.weight_there = weight(*result.first_error);
    result.predicted_there = mixture.predicted(result.weight_there);
  }
  for (std::size_t i = 0; i < kNumberFormats.size(); ++i) {
    const NumberFormat& format = kNumberFormats[i];
    result.limits[i] = {
        format, smallest_count([&](double items) { return weight(items) < format.epsilon; }),
        std::exp(result.d) / format.epsilon};
  }
  const double last = std::log(curve_end(result));
  for (int i = 0; i < kCurvePoints; ++i) {
    const double items = std::exp(last * i / (kCurvePoints - 1));
    const double share = weight(items);
    result.curve.push_back({items, share, mixture.probability(share, pair.class_a)});
  }
  return result;
}

}  // namespace dispersion
