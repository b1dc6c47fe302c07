#include "core/experiment/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/attention/softmax.h"

namespace dispersion {
namespace {

// Relative error of a weight that is due to rounding, and its share that grows with d: exp(-d) is
// off by the rounding of d.
constexpr double kRounding = 1e-9;
constexpr double kRoundingOfD = 0x1p-50;
constexpr double kRelativeStep = 1e-4;  // of beta, for the central difference
constexpr int kSlopes = 41;
constexpr int kItemsBetweenReports = 1 << 16;

// How many sets are worked on between two calls of the Progress.
int sets_at_once(int items) {
  return std::max(1, kItemsBetweenReports / std::max(1, items));
}

double share_of(int set, const SizeLogits& logits) {
  return static_cast<double>(set) / logits.sets;
}

// The logits of one set in double.
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

// Whether the logarithms of the smallest and the largest weight lie within both bounds for d. They
// are exact where the weights themselves are too small to be doubles.
bool within(double log_smallest, double log_largest, double d, double items) {
  const double rounding = kRounding + kRoundingOfD * d;
  const double small = std::exp(-d);
  const double sharp_lower = -d - std::log(small + items - 1);
  const double sharp_upper = -std::log1p((items - 1) * small);
  return log_smallest >= std::max(sharp_lower, -d - std::log(items)) - rounding &&
         log_largest <= std::min(sharp_upper, d - std::log(items)) + rounding;
}

// Returns nothing after a stop.
std::optional<EntropySlope> stoppable_slope(const SizeLogits& logits, double beta,
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
    const double d = delta / theta;
    if (!within(-d - summary.log_sum, -summary.log_sum, d, logits.items)) ++row.violations;
  }
  row.bounds = weight_bounds(row.delta / theta, logits.items);
  return row;
}

EntropySlope entropy_slope(const SizeLogits& logits, double beta) {
  return *stoppable_slope(logits, beta, {});
}

std::vector<EntropySlope> entropy_slopes(const SizeLogits& logits, const Progress& progress) {
  std::vector<EntropySlope> slopes;
  for (const double exponent : grid_values({std::log(0.05), std::log(5.0), kSlopes})) {
    const double done = static_cast<double>(slopes.size());
    const auto slope = stoppable_slope(logits, std::exp(exponent),
                                       progress.part(done / kSlopes, (done + 1) / kSlopes));
    if (!slope) break;
    slopes.push_back(*slope);
  }
  return slopes;
}

double largest_slope(std::span<const EntropySlope> slopes) {
  double largest = 0;
  for (const EntropySlope& slope : slopes)
    largest = std::max(largest, std::abs(slope.formula));
  return largest;
}

double largest_slope_error(std::span<const EntropySlope> slopes) {
  double error = 0;
  for (const EntropySlope& slope : slopes)
    error = std::max(error, std::abs(slope.formula - slope.difference));
  const double scale = largest_slope(slopes);
  return scale > 0 ? error / scale : error;
}

double slope_rounding(std::span<const EntropySlope> slopes) {
  double rounding = 0;
  for (const EntropySlope& slope : slopes) {
    const double unit = std::numeric_limits<double>::epsilon() * std::max(1.0, slope.entropy);
    rounding = std::max(rounding, unit / (kRelativeStep * slope.beta));
  }
  return rounding;
}

}  // namespace dispersion
