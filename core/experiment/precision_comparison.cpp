#include "core/experiment/precision_comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "core/precision/rounding.h"

namespace dispersion {
namespace {

// So few that a call is short on the direct path, the slowest one, too.
constexpr int kItemsPerCall = 1 << 14;

constexpr std::uint32_t kGrid = 1u << 24;  // priorities are i / kGrid

float rounded_priority(Rounding rounding, std::uint32_t i) {
  float value = static_cast<float>(i) / static_cast<float>(kGrid);
  round_values(rounding, &value, &value, 1);
  return value;
}

// The smallest i that rounds to the same priority as `last` does, by bisection, since rounding is
// monotone.
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

// What one rounded priority, which a share `p` of all priorities rounds to and a share `below`
// rounds to less than, adds to the mean: the sum over k of binom(items, k) p^k below^(items - k)
// right[k]. right[0] is not used; a k past the end of `right` is so improbable that it does not
// count.
double term_of_priority(int items, double p, double below, std::span<const double> right) {
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

// Mean of right[K] over the number K of items that share the largest rounded priority. Goes through
// the rounded priorities from the largest one down, until it is all but certain that the largest
// priority of a set does not lie below.
double mean_over_ties(Rounding rounding, int items, std::span<const double> right) {
  constexpr double kNegligible = 1e-18;
  double expected = 0;
  std::uint32_t end = kGrid;  // the priorities i / kGrid with i below this are left
  while (end > 0 && std::pow(static_cast<double>(end) / kGrid, items) > kNegligible) {
    const std::uint32_t first = first_alike(rounding, end - 1);
    expected += term_of_priority(items, static_cast<double>(end - first) / kGrid,
                                 static_cast<double>(first) / kGrid, right);
    end = first;
  }
  return expected;
}

// Mean of 1 / K where nothing is rounded: of priorities on their grid of N = 2^24 points alone.
// Summed over the grid by Faulhaber's formula it is sum over r < items of a_r items (items - 1) ...
// (items - r + 1) / N^r, where a_r are the coefficients of (sum over k >= 1 of x^(k-1) / (k k!)) x
// / (e^x - 1). They fall like (2 pi)^-r.
double mean_share_on_grid(int items) {
  constexpr int kTerms = 30;
  std::array<double, kTerms> a = {};
  double product = 1;
  double mean = 0;
  for (int r = 0; r < std::min(items, kTerms); ++r) {
    a[r] = 1 / ((r + 1) * std::tgamma(r + 2));
    for (int j = 1; j <= r; ++j)
      a[r] -= a[r - j] / std::tgamma(j + 2);
    mean += a[r] * product;
    product *= (items - r) / static_cast<double>(kGrid);
  }
  return mean;
}

void require(int items, int classes) {
  if (items < 1) throw std::invalid_argument("a set needs at least 1 item");
  if (classes < 1) throw std::invalid_argument("there must be at least 1 class");
}

// Rounded rows come by the direct path, the definition: the stored comparison was made by it.
EvaluationSettings way_of(Precision precision) {
  return {precision == Precision::kFloat ? HeadPath::kSpectral : HeadPath::kDirect, precision};
}

}  // namespace

double perfect_argmax_accuracy(Precision precision, int items, int classes) {
  require(items, classes);
  const double chance = 1.0 / classes;
  const Rounding rounding = priority_rounding(precision);
  if (rounding == Rounding::kNone && static_cast<std::uint32_t>(items) <= kGrid)
    return mean_share_on_grid(items) * (1 - chance) + chance;
  std::vector<double> right(static_cast<std::size_t>(items) + 1, 0.0);
  for (int k = 1; k <= items; ++k)
    right[k] = 1.0 / k;
  return mean_over_ties(rounding, items, right) * (1 - chance) + chance;
}

std::vector<PrecisionRow> compare_precisions(
    Backend& backend, const Parameters<float>& head, const PrecisionSettings& settings,
    const Progress& keep_going, const std::function<void(std::span<const PrecisionRow>)>& show) {
  require_sizes(settings.sizes, settings.sets);
  if (settings.sizes.empty()) throw std::invalid_argument("a comparison needs at least one size");
  if (settings.precisions.empty()) {
    throw std::invalid_argument("a comparison needs at least one precision");
  }
  const std::array<AttentionTransform, 1> transforms = {AttentionTransform()};
  double items = 0;
  for (const int size : settings.sizes)
    items += static_cast<double>(size * settings.sets);
  items *= static_cast<double>(settings.precisions.size());
  double items_done = 0;
  std::vector<PrecisionRow> rows;
  std::vector<std::int32_t> labels;
  for (const int size : settings.sizes) {
    for (const Precision precision : settings.precisions) {
      PrecisionRow row{
          precision, {.items = size}, perfect_argmax_accuracy(precision, size, head.shape.classes)};
      while (row.measured.sets < settings.sets) {
        if (!keep_going(items_done / items)) return rows;
        const std::int64_t count = std::min<std::int64_t>(std::max(1, kItemsPerCall / size),
                                                          settings.sets - row.measured.sets);
        const DrawnSets drawn = {.seed = settings.seed,
                                 .items = size,
                                 .first_set = static_cast<std::uint32_t>(row.measured.sets),
                                 .sets = static_cast<int>(count)};
        SetEvaluation evaluation;
        try {
          evaluation = backend.evaluate_drawn(head, drawn, transforms, way_of(precision), labels);
        } catch (const Stopped&) {
          return rows;
        }
        add_evaluation(evaluation, labels, 0, row.measured);
        items_done += static_cast<double>(count * size);
      }
      rows.push_back(row);
    }
    if (show) show(rows);
  }
  return rows;
}

}  // namespace dispersion
