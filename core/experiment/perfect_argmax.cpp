#include "core/experiment/perfect_argmax.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
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

}  // namespace dispersion
