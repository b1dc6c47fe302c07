#include "core/experiment/perfect_argmax.h"

#include <cmath>
#include <cstdint>
#include <stdexcept>

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

// Sum over k of binom(items, k) p^k below^(items - k) / k: the share of one number to E[1 / K].
double inverse_ties(int items, double p, double below) {
  if (below == 0) return std::pow(p, items) / items;
  double sum = 0;
  for (int k = 1; k <= items; ++k) {
    const double log_probability =
        log_binomial(items, k) + k * std::log(p) + (items - k) * std::log(below);
    sum += std::exp(log_probability) / k;
  }
  return sum;
}

}  // namespace

double perfect_argmax_accuracy(Precision precision, int items, int classes) {
  if (items < 1) throw std::invalid_argument("a set needs at least 1 item");
  if (classes < 1) throw std::invalid_argument("there must be at least 1 class");
  const Rounding rounding = priority_rounding(precision);
  if (rounding == Rounding::kNone) return 1;
  // From the largest number down, until it is certain that the largest item is not below.
  constexpr double kNegligible = 1e-18;
  double expected = 0;
  std::uint32_t end = kGrid;  // grid numbers that round to what is left
  while (end > 0 && std::pow(static_cast<double>(end) / kGrid, items) > kNegligible) {
    const std::uint32_t first = first_alike(rounding, end - 1);
    expected += inverse_ties(items, static_cast<double>(end - first) / kGrid,
                             static_cast<double>(first) / kGrid);
    end = first;
  }
  const double chance = 1.0 / classes;
  return expected * (1 - chance) + chance;
}

}  // namespace dispersion
