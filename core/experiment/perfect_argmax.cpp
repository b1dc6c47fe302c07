#include "core/experiment/perfect_argmax.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/precision/rounding.h"

namespace dispersion {
namespace {

constexpr std::uint32_t kGrid = 1u << 24;  // priorities are i / kGrid

float rounded_priority(Rounding rounding, std::uint32_t i) {
  float value = static_cast<float>(i) / static_cast<float>(kGrid);
  round_values(rounding, &value, &value, 1);
  return value;
}

// The first grid number that rounds to what `last` rounds to. Rounding is monotone.
std::uint32_t first_alike(Rounding rounding, std::uint32_t last) {
  const float value = rounded_priority(rounding, last);
  std::uint32_t low = 0;
  std::uint32_t high = last;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (rounded_priority(rounding, middle) == value) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

double log_binomial(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

// Sum over k of binom(items, k) p^k below^(items - k) right[k]: the share of one number; right[0]
// is not used, and what lies past the end of `right` has no probability that counts.
double share_of_number(int items, double p, double below, std::span<const double> right) {
  const auto last = static_cast<int>(right.size()) - 1;
  if (below == 0) return items <= last ? std::pow(p, items) * right[items] : 0;
  double sum = 0;
  for (int k = 1; k <= std::min(items, last); ++k) {
    const double log_probability =
        log_binomial(items, k) + k * std::log(p) + (items - k) * std::log(below);
    sum += std::exp(log_probability) * right[k];
  }
  return sum;
}

// Mean of right[K] over the number K of items that share the largest rounded priority, from the
// largest number down, until it is certain that the largest item is not below.
double mean_over_ties(Rounding rounding, int items, std::span<const double> right) {
  constexpr double kNegligible = 1e-18;
  double expected = 0;
  std::uint32_t end = kGrid;  // grid numbers that round to what is left
  while (end > 0 && std::pow(static_cast<double>(end) / kGrid, items) > kNegligible) {
    const std::uint32_t first = first_alike(rounding, end - 1);
    expected += share_of_number(items, static_cast<double>(end - first) / kGrid,
                                static_cast<double>(first) / kGrid, right);
    end = first;
  }
  return expected;
}

void require(int items, int classes) {
  if (items < 1) throw std::invalid_argument("a set needs at least 1 item");
  if (classes < 1) throw std::invalid_argument("there must be at least 1 class");
}

// P(no class has more than `most` of t items), for t = 0 .. last: class by class, each takes a
// binomial share of what is left.
std::vector<double> none_above(int most, int classes, int last) {
  std::vector<double> probability(static_cast<std::size_t>(last) + 1);
  for (int t = 0; t <= last; ++t)
    probability[t] = t <= most ? 1 : 0;
  for (int c = 2; c <= classes; ++c) {
    std::vector<double> next(probability.size(), 0.0);
    const double log_share = std::log(1.0 / c);
    const double log_rest = std::log(1 - 1.0 / c);
    for (int t = 0; t <= last; ++t) {
      for (int j = 0; j <= std::min(most, t); ++j) {
        if (probability[t - j] == 0) continue;
        next[t] +=
            std::exp(log_binomial(t, j) + j * log_share + (t - j) * log_rest) * probability[t - j];
      }
    }
    probability = std::move(next);
  }
  return probability;
}

// E[largest count of t items in the classes] / t, for t = 0 .. last.
std::vector<double> share_of_commonest(int classes, int last) {
  std::vector<double> share(static_cast<std::size_t>(last) + 1, 0.0);
  for (int most = 0; most < last; ++most) {
    const std::vector<double> below = none_above(most, classes, last);
    for (int t = most + 1; t <= last; ++t)
      share[t] += (1 - below[t]) / t;
  }
  return share;
}

}  // namespace

double perfect_argmax_accuracy(Precision precision, int items, int classes) {
  require(items, classes);
  const Rounding rounding = priority_rounding(precision);
  if (rounding == Rounding::kNone) return 1;
  std::vector<double> right(static_cast<std::size_t>(items) + 1, 0.0);
  for (int k = 1; k <= items; ++k)
    right[k] = 1.0 / k;
  const double chance = 1.0 / classes;
  return mean_over_ties(rounding, items, right) * (1 - chance) + chance;
}

double best_rounded_accuracy(Precision precision, int items, int classes) {
  require(items, classes);
  if (items > 65'536) throw std::invalid_argument("at most 65536 items, or it takes too long");
  const Rounding rounding = priority_rounding(precision);
  if (rounding == Rounding::kNone) return 1;
  // Numbers below 1 take a share of 2^-8 in bf16, 2^-11 in fp16; many more ties than twelve
  // standard deviations above the mean of that do not occur.
  const double step =
      precision == Precision::kBf16 || precision == Precision::kBf16Priorities ? 0x1p-8 : 0x1p-11;
  const double mean = items * step;
  const int last = std::min(items, static_cast<int>(mean + 12 * std::sqrt(mean) + 24));
  return mean_over_ties(rounding, items, share_of_commonest(classes, last));
}

}  // namespace dispersion
