#include "core/experiment/bounds.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/attention/softmax.h"

namespace dispersion {
namespace {

// A weight may miss its bound by its own rounding.
constexpr double kRounding = 1e-9;
constexpr double kRelativeStep = 1e-4;
constexpr int kSlopes = 41;
constexpr int kItemsBetweenQuestions = 1 << 16;

// Sets from one question to the next.
int sets_at_once(int items) {
  return std::max(1, kItemsBetweenQuestions / std::max(1, items));
}

double share_of(int set, const SizeLogits& logits) {
  return static_cast<double>(set) / logits.sets;
}

// Row `set` in double.
std::vector<double> set_logits(const SizeLogits& logits, int set) {
  const auto items = static_cast<std::size_t>(logits.items);
  const auto row = std::span(logits.logits).subspan(static_cast<std::size_t>(set) * items, items);
  return {row.begin(), row.end()};
}

double entropy_at(std::span<const double> logits, double beta) {
  return summarise_logits(logits, 1 / beta).entropy;
}

double variance(std::span<const double> logits, std::span<const double> weights) {
  double mean = 0;
  for (std::size_t i = 0; i < logits.size(); ++i)
    mean += weights[i] * logits[i];
  double sum = 0;
  for (std::size_t i = 0; i < logits.size(); ++i)
    sum += weights[i] * (logits[i] - mean) * (logits[i] - mean);
  return sum;
}

bool within(double smallest, double largest, const WeightBounds& bounds) {
  return smallest >= bounds.sharp_lower * (1 - kRounding) &&
         largest <= bounds.sharp_upper * (1 + kRounding) &&
         smallest >= bounds.lower * (1 - kRounding) && largest <= bounds.upper * (1 + kRounding);
}

// A slope, or nothing where `keep_going` says no.
std::optional<EntropySlope> asked_slope(const SizeLogits& logits, double beta,
                                        const Progress& keep_going) {
  if (!(beta > 0)) throw std::invalid_argument("beta must be above 0");
  const int at_once = sets_at_once(logits.items);
  EntropySlope slope{.beta = beta};
  const double step = kRelativeStep * beta;
  std::vector<double> weights(static_cast<std::size_t>(logits.items));
  for (int set = 0; set < logits.sets; ++set) {
    if (set % at_once == 0 && !keep_going(share_of(set, logits))) return std::nullopt;
    const std::vector<double> e = set_logits(logits, set);
    softmax<double>(e, beta, weights);
    slope.entropy += entropy_at(e, beta) / logits.sets;
    slope.formula -= beta * variance(e, weights) / logits.sets;
    slope.difference +=
        (entropy_at(e, beta + step) - entropy_at(e, beta - step)) / (2 * step) / logits.sets;
  }
  return slope;
}

}  // namespace

WeightBounds weight_bounds(double d, double items) {
  if (!(d >= 0) || !(items >= 1)) {
    throw std::invalid_argument("bounds need a spread of 0 or more and 1 item or more, not " +
                                std::to_string(d) + " and " + std::to_string(items));
  }
  const double small = std::exp(-d);
  return {.lower = small / items,
          .sharp_lower = small / (small + items - 1),
          .sharp_upper = 1 / (1 + (items - 1) * small),
          .upper = std::exp(d) / items};
}

BoundsRow bounds_row(const SizeLogits& logits, double theta) {
  return *bounds_row(logits, theta, {});
}

std::optional<BoundsRow> bounds_row(const SizeLogits& logits, double theta,
                                    const Progress& keep_going) {
  const int at_once = sets_at_once(logits.items);
  BoundsRow row{.items = logits.items, .sets = logits.sets, .smallest_weight = 1, .bounds = {}};
  for (int set = 0; set < logits.sets; ++set) {
    if (set % at_once == 0 && !keep_going(share_of(set, logits))) return std::nullopt;
    const std::vector<double> e = set_logits(logits, set);
    const LogitSummary summary = summarise_logits(std::span<const double>(e), theta);
    const double delta = summary.max - *std::ranges::min_element(e);
    const double largest = std::exp(-summary.log_sum);
    const double smallest = std::exp(-delta / theta - summary.log_sum);
    row.mean_delta += delta / logits.sets;
    row.delta = std::max(row.delta, delta);
    row.smallest_weight = std::min(row.smallest_weight, smallest);
    row.largest_weight = std::max(row.largest_weight, largest);
    row.mean_largest_weight += largest / logits.sets;
    if (!within(smallest, largest, weight_bounds(delta / theta, logits.items))) ++row.violations;
  }
  row.bounds = weight_bounds(row.delta / theta, logits.items);
  return row;
}

EntropySlope entropy_slope(const SizeLogits& logits, double beta) {
  return *asked_slope(logits, beta, {});
}

std::vector<EntropySlope> entropy_slopes(const SizeLogits& logits, const Progress& keep_going) {
  std::vector<EntropySlope> slopes;
  for (const double exponent : grid_values({std::log(0.05), std::log(5.0), kSlopes})) {
    const double done = static_cast<double>(slopes.size());
    const auto slope = asked_slope(logits, std::exp(exponent), [&](double share) {
      return keep_going((done + share) / kSlopes);
    });
    if (!slope) break;
    slopes.push_back(*slope);
  }
  return slopes;
}

double largest_slope_error(std::span<const EntropySlope> slopes) {
  double error = 0;
  double scale = 0;
  for (const EntropySlope& slope : slopes) {
    error = std::max(error, std::abs(slope.formula - slope.difference));
    scale = std::max(scale, std::abs(slope.formula));
  }
  return scale > 0 ? error / scale : error;
}

}  // namespace dispersion
