#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "core/head/forward.h"

namespace dispersion {

// The priorities and classes of a and b; the query is 0.5.
struct TestedPair {
  double priority_a, priority_b;
  int class_a, class_b;
};

// A head on {a, b, ..., b}, mixed by hand. Its first error is looked for at every n up to
// kEveryCount and then by equal factors, until nothing is left of a.
class PairTruth {
 public:
  PairTruth(const Parameters<float>& head, const TestedPair& pair, double theta)
      : head_(convert_parameters<double>(head)), pair_(pair) {
    const std::array<float, 2> priority = {static_cast<float>(pair.priority_a),
                                           static_cast<float>(pair.priority_b)};
    const std::array<std::uint8_t, 2> item_class = {static_cast<std::uint8_t>(pair.class_a),
                                                    static_cast<std::uint8_t>(pair.class_b)};
    const float query = 0.5F;
    const std::int32_t label = 0;
    forward(head_, {1, 2, priority.data(), item_class.data(), &query, &label}, AttentionTransform{},
            activations_);
    const double* logits = activations_.attention_logits.data();
    d = (logits[0] - logits[1]) / theta;
    // Other orders of sums of 128 products in double, with room for terms that cancel.
    rounding = 1e-9 * std::max({1.0, std::abs(logits[0]), std::abs(logits[1])}) / theta;
    const int width = head_.shape.width;
    const double* embedding = activations_.item_embedding.data();
    a_.assign(embedding, embedding + width);
    b_.assign(embedding + width, embedding + 2 * width);
  }

  // The class for a weight of a of 1 / (1 + e^odds), odds = log(n - 1) - d.
  int answer(double weight) {
    double* pooled = activations_.pooled_embedding.data();
    for (std::size_t i = 0; i < a_.size(); ++i)
      pooled[i] = weight * a_[i] + (1 - weight) * b_[i];
    read_out(head_, 1, activations_);
    const double* logits = activations_.class_logits.data();
    return static_cast<int>(std::max_element(logits, logits + 10) - logits);
  }
  bool wrong(double log_n) {
    const double log_rest = log_n < 30 ? std::log(std::expm1(log_n)) : log_n;
    return answer(1 / (1 + std::exp(log_rest - d))) != pair_.class_a;
  }
  bool wrong_at(int items) { return answer(1 / (1 + (items - 1) * std::exp(-d))) != pair_.class_a; }

  // The logarithm of the first n with an error; infinite where there is none.
  double first_error() {
    if (!first_error_) first_error_ = searched_error();
    return *first_error_;
  }
  bool all_mixtures_right() {
    for (int i = 0; i <= 500; ++i) {
      if (answer(i / 500.0) != pair_.class_a) return false;
    }
    return true;
  }
  double weight(double log_n) const {
    const double log_rest = log_n < 30 ? std::log(std::expm1(log_n)) : log_n;
    return 1 / (1 + std::exp(log_rest - d));
  }

  double d = 0;
  double rounding = 0;  // of d

 private:
  static constexpr int kEveryCount = 100;
  static constexpr double kStep = 0.05;  // of log n
  static constexpr double kReach = 40;  // of log n, to both sides of equal shares of a and the rest

  double searched_error() {
    if (answer(1) != pair_.class_a) return 0;
    for (int n = 2; n <= kEveryCount; ++n) {
      if (wrong_at(n)) return std::log(n);
    }
    const double end = std::max(0.0, d) + kReach;
    for (double log_n = std::max(std::log(kEveryCount), d - kReach); log_n < end; log_n += kStep) {
      if (wrong(log_n)) return bisected(log_n - kStep, log_n);
    }
    return std::numeric_limits<double>::infinity();
  }
  double bisected(double right, double bad) {
    for (;;) {
      const double middle = (right + bad) / 2;
      if (middle <= right || middle >= bad) break;
      (wrong(middle) ? bad : right) = middle;
    }
    return bad < 30 ? std::log(std::ceil(std::exp(bad) - 1e-6)) : bad;
  }

  Parameters<double> head_;
  TestedPair pair_;
  Activations<double> activations_;
  std::vector<double> a_, b_;
  std::optional<double> first_error_;
};

}  // namespace dispersion
