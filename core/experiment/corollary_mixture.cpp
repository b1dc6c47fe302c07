#include "core/experiment/corollary_mixture.h"

#include <array>
#include <cmath>

#include "core/head/forward.h"
#include "core/math/gelu.h"

namespace dispersion {
namespace {

constexpr double kSteepestGelu = 1.13;  // GELU' is below this everywhere
// Rounding of class logits in double, relative to the size of the terms that they are sums of.
constexpr double kRounding = 1e-12;

}  // namespace

CorollaryMixture::CorollaryMixture(const Parameters<float>& head, const CorollaryPair& pair)
    : head_(convert_parameters<double>(head)) {
  const std::array<float, 2> priority = {static_cast<float>(pair.priority_a),
                                         static_cast<float>(pair.priority_b)};
  const std::array<std::uint8_t, 2> item_class = {static_cast<std::uint8_t>(pair.class_a),
                                                  static_cast<std::uint8_t>(pair.class_b)};
  const auto query = static_cast<float>(pair.query);
  const std::int32_t label = pair.class_a;
  forward(head_, {1, 2, priority.data(), item_class.data(), &query, &label}, AttentionTransform{},
          activations_);
  const auto width = static_cast<std::size_t>(head_.shape.width);
  const auto hidden_at = [&](double weight) {
    class_logits(weight);  // for what it computes on its way
    project_pooled(head_, 1, activations_);
    const double* hidden = activations_.readout_hidden.data();
    return std::vector<double>(hidden, hidden + width);
  };
  hidden_of_b_ = hidden_at(0);
  hidden_change_ = hidden_at(1);
  for (std::size_t i = 0; i < width; ++i)
    hidden_change_[i] -= hidden_of_b_[i];
}

std::span<const double> CorollaryMixture::class_logits(double weight) {
  const int width = head_.shape.width;
  const double* a = activations_.item_embedding.data();
  const double* b = a + width;
  double* pooled = activations_.pooled_embedding.data();
  for (int i = 0; i < width; ++i)
    pooled[i] = weight * a[i] + (1 - weight) * b[i];
  read_out(head_, 1, activations_);
  return {activations_.class_logits.data(), static_cast<std::size_t>(head_.shape.classes)};
}

int CorollaryMixture::predicted(double weight) {
  return predicted_class(class_logits(weight));
}

double CorollaryMixture::probability(double weight, int wanted) {
  return std::exp(-cross_entropy(class_logits(weight), wanted));
}

bool CorollaryMixture::surely(int answer, double low, double high) const {
  const double middle = low + (high - low) / 2;
  const double half = kSteepestGelu * (high - low) / 2;
  const auto classes = static_cast<std::size_t>(head_.shape.classes);
  const std::span<const double> kernel = head_.tensor(TensorId::kReadout1Kernel);
  const std::span<const double> bias = head_.tensor(TensorId::kReadout1Bias);
  const auto own = static_cast<std::size_t>(answer);
  std::vector<double> lead(classes);   // of the answer over each class, in the middle
  std::vector<double> terms(classes);  // the size of the terms that it is the sum of
  std::vector<double> reach(classes);  // how much it changes at most per unit of weight
  for (std::size_t k = 0; k < classes; ++k) {
    lead[k] = bias[own] - bias[k];
    terms[k] = std::abs(bias[own]) + std::abs(bias[k]);
  }
  for (std::size_t j = 0; j < hidden_of_b_.size(); ++j) {
    const double hidden = gelu_point(hidden_of_b_[j] + middle * hidden_change_[j]).value;
    const double* row = kernel.data() + j * classes;
    for (std::size_t k = 0; k < classes; ++k) {
      lead[k] += hidden * (row[own] - row[k]);
      terms[k] += std::abs(hidden) * (std::abs(row[own]) + std::abs(row[k]));
      reach[k] += std::abs(hidden_change_[j] * (row[own] - row[k]));
    }
  }
  for (std::size_t k = 0; k < classes; ++k) {
    if (k == own) continue;
    // Classes with the same weights are tied for ever, and the first of them is the answer.
    const bool tied = lead[k] == 0 && reach[k] == 0;
    if (tied ? k < own : !(lead[k] > half * reach[k] + kRounding * terms[k])) return false;
  }
  return true;
}

}  // namespace dispersion
