#include "tests/statements/precision_truth.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/head/forward.h"
#include "core/precision/rounded_head.h"
#include "core/task/item_sets.h"
#include "tests/statements/live_reference.h"

namespace dispersion {
namespace {

template <class Scalar>
SetCount count_right(const Scalar* class_logits, int classes, const ItemSets& sets) {
  SetCount count{.sets = sets.sets};
  for (int set = 0; set < sets.sets; ++set) {
    const Scalar* row = class_logits + set * classes;
    const auto answer = static_cast<int>(std::max_element(row, row + classes) - row);
    Scalar next = -INFINITY;
    for (int c = 0; c < classes; ++c) {
      if (c != answer) next = std::max(next, row[c]);
    }
    if (answer == sets.label[static_cast<std::size_t>(set)]) ++count.right;
    // Float sums of some hundred terms, at the logits' own size.
    if (row[answer] - next < 1e-4 * (1 + std::abs(row[answer]))) ++count.open;
  }
  return count;
}

// `drawn` has the priorities that decide which item is the maximum; `rounding` is that of logits.
template <class Activations>
Answers answers_of(const Activations& of, double rounding, int classes, const ItemSets& drawn) {
  const auto* logits = of.attention_logits.data();
  Answers answers{count_right(of.class_logits.data(), classes, drawn), {.sets = drawn.sets}};
  for (int set = 0; set < drawn.sets; ++set) {
    const std::vector<double> e(logits + set * drawn.items, logits + (set + 1) * drawn.items);
    const float* priority = drawn.priority.data() + set * drawn.items;
    const auto maximum =
        static_cast<std::size_t>(std::max_element(priority, priority + drawn.items) - priority);
    double other = -INFINITY;
    for (std::size_t item = 0; item < e.size(); ++item) {
      if (item != maximum) other = std::max(other, e[item]);
    }
    const auto first = static_cast<std::size_t>(std::ranges::max_element(e) - e.begin());
    answers.argmax.right += first == maximum;
    answers.argmax.open += std::abs(e[maximum] - other) <= 2 * rounding;
    const Truth entropy = softmax_truth(e, 1, {1, 0}, rounding).entropy;
    answers.entropy.value += entropy.value / drawn.sets;
    answers.entropy.tolerance += entropy.tolerance / drawn.sets;
  }
  return answers;
}

ItemSets evaluation_sets(int items, int count) {
  ItemSets sets;
  sets.resize(count, items);
  draw_item_sets(1, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(items), 0, sets);
  return sets;
}

// How many of the 2^24 priorities round to each number of a format, the largest first.
template <class Round>
const std::vector<double>& rounded_counts() {
  static const std::vector<double> counts = [] {
    std::vector<double> all;
    float last = -1;
    for (int i = (1 << 24) - 1; i >= 0; --i) {
      const float rounded = Round()(static_cast<float>(i) * 0x1p-24F);
      if (rounded != last) all.push_back(0);
      last = rounded;
      ++all.back();
    }
    return all;
  }();
  return counts;
}

}  // namespace

Answers answers(const Parameters<float>& head, const std::string& precision, int items, int count) {
  const ItemSets drawn = evaluation_sets(items, count);
  ItemSets sets = drawn;
  if (precision == "bf16 priorities") {
    for (float& priority : sets.priority)
      priority = RoundToBf16()(priority);
  }
  if (precision == "bf16" || precision == "fp16") {
    RoundedHead rounded;
    rounded.assign(head, precision == "bf16" ? Rounding::kBf16 : Rounding::kFp16);
    RoundedActivations activations;
    rounded_forward(rounded, sets.view(), AttentionTransform{}, activations);
    // The lab's own function of the rounded head: its logits are these.
    return answers_of(activations, 0, head.shape.classes, drawn);
  }
  Activations<double> activations;
  forward(convert_parameters<double>(head), sets.view(), AttentionTransform{}, activations);
  const double rounding =
      logit_rounding({activations.attention_logits.data(), drawn.priority.size()});
  return answers_of(activations, rounding, head.shape.classes, drawn);
}

template <class Round>
double perfect_accuracy(int items) {
  static std::map<int, double> known;
  const auto found = known.find(items);
  if (found != known.end()) return found->second;
  const double n = items;
  double left = 0x1p24;
  double mean = 0;
  for (const double count : rounded_counts<Round>()) {
    const double p = count * 0x1p-24;
    const double all = left * 0x1p-24;
    left -= count;
    if (n * std::log(all) < -60) break;
    const double below = left * 0x1p-24;
    if (below == 0) {
      mean += std::pow(p, n) / n;
      break;
    }
    for (int k = 1; k <= items; ++k) {
      mean += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1) +
                       k * std::log(p) + (n - k) * std::log(below)) /
              k;
    }
  }
  return known[items] = 0.1 + 0.9 * mean;
}

template double perfect_accuracy<RoundToBf16>(int items);
template double perfect_accuracy<RoundToFp16>(int items);

std::pair<double, double> wilson(double right, double trials) {
  constexpr double kZ = 1.959963984540054;
  const double share = right / trials;
  const double a = 1 + kZ * kZ / trials;
  const double b = 2 * share + kZ * kZ / trials;
  const double root = std::sqrt(b * b - 4 * a * share * share);
  return {(b - root) / (2 * a), (b + root) / (2 * a)};
}

const std::map<int, double>& paper_baseline() {
  static const std::map<int, double> percent = {
      {16, 98.6},   {32, 97.1},   {64, 94.3},   {128, 89.7},  {256, 81.3},  {512, 70.1},
      {1024, 53.8}, {2048, 35.7}, {4096, 22.6}, {8192, 15.7}, {16384, 12.4}};
  return percent;
}

}  // namespace dispersion
