#include "core/experiment/entropy_surface.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/attention/softmax.h"
#include "core/task/draws.h"

namespace dispersion {

namespace {

// So few items in one call that the Progress is called many times a second.
constexpr int kItemsAtOnce = 1 << 14;

int sets_at_once(int items) {
  return std::max(1, kItemsAtOnce / items);
}

// The logits of the evaluation sets first_set .. first_set + count - 1, [count, items]; none if the
// backend was stopped in the middle.
std::vector<float> drawn_logits(Backend& backend, const Parameters<float>& head, std::uint32_t seed,
                                int items, int first_set, int count) {
  ItemSets sets;
  sets.resize(count, items);
  draw_item_sets(seed, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(items),
                 static_cast<std::uint32_t>(first_set), sets);
  std::vector<float> logits;
  try {
    backend.attention_logits(head, sets.view(), logits);
  } catch (const Stopped&) {
    return {};
  }
  return logits;
}

}  // namespace

double power_series_entropy(double lambda, double theta, PowerSeries series) {
  if (!(theta >= kSmallestTheta) || !std::isfinite(theta)) {
    throw std::invalid_argument("theta must be a number from 1e-300, not " + std::to_string(theta));
  }
  if (series.terms < 1 || series.first_exponent < 0) {
    throw std::invalid_argument("a power series needs at least 1 term and no negative exponents");
  }
  std::vector<double> logits;
  for (int i = 0; i < series.terms; ++i)
    logits.push_back(std::pow(lambda, series.first_exponent + i));
  const auto finite = [](double logit) { return std::isfinite(logit); };
  if (!std::all_of(logits.begin(), logits.end(), finite)) {
    throw std::invalid_argument("lambda = " + std::to_string(lambda) +
                                " gives terms that are not finite");
  }
  return summarise_logits(std::span<const double>(logits), theta).entropy;
}

std::vector<double> grid_values(GridRange range) {
  if (range.points < 2 || !(range.low < range.high) || !std::isfinite(range.high - range.low)) {
    throw std::invalid_argument("a grid needs two points or more from low to a higher high");
  }
  std::vector<double> values;
  const int last = range.points - 1;
  for (int i = 0; i <= last; ++i) {
    // Written as a weighted sum, so that both ends are exact.
    const double share = static_cast<double>(i) / last;
    values.push_back(range.low * (1 - share) + range.high * share);
  }
  return values;
}

namespace {

// Computes one region row by row; returns nothing after a stop.
std::optional<PowerSeriesSurface> region_surface(GridRange lambda, GridRange theta,
                                                 PowerSeries series, const Progress& keep_going) {
  PowerSeriesSurface surface{grid_values(lambda), grid_values(theta), {}};
  for (std::size_t row = 0; row < surface.theta.size(); ++row) {
    const double share = static_cast<double>(row) / static_cast<double>(surface.theta.size());
    if (!keep_going(share)) return std::nullopt;
    for (const double l : surface.lambda)
      surface.entropy.push_back(power_series_entropy(l, surface.theta[row], series));
  }
  return surface;
}

}  // namespace

std::vector<PowerSeriesSurface> power_series_regions(const RegionLimits& limits, PowerSeries series,
                                                     const Progress& progress) {
  if (!(limits.lowest_lambda < 1) || !(limits.highest_lambda > 1) || !(limits.lowest_theta < 1) ||
      !(limits.highest_theta > 1)) {
    throw std::invalid_argument(
        "the four regions meet at lambda = 1 and theta = 1, so the lowest lambda and theta must be "
        "below 1 and the highest above");
  }
  const GridRange below_lambda = {limits.lowest_lambda, 1, limits.points};
  const GridRange above_lambda = {1, limits.highest_lambda, limits.points};
  const GridRange below_theta = {limits.lowest_theta, 1, limits.points};
  const GridRange above_theta = {1, limits.highest_theta, limits.points};
  std::vector<PowerSeriesSurface> regions;
  for (const GridRange& theta : {below_theta, above_theta}) {
    for (const GridRange& lambda : {below_lambda, above_lambda}) {
      const double done = static_cast<double>(regions.size());
      auto region = region_surface(lambda, theta, series, progress.part(done / 4, (done + 1) / 4));
      if (!region) return regions;
      regions.push_back(*std::move(region));
    }
  }
  return regions;
}

SizeLogits size_logits(Backend& backend, const Parameters<float>& head, std::uint32_t seed,
                       int items, int sets, const Progress& keep_going) {
  if (items < 1 || sets < 1) {
    throw std::invalid_argument("logits need at least 1 set of at least 1 item, not " +
                                std::to_string(sets) + " of " + std::to_string(items));
  }
  SizeLogits result{items, 0, {}};
  while (result.sets < sets) {
    const int count = std::min(sets_at_once(items), sets - result.sets);
    const std::vector<float> logits = drawn_logits(backend, head, seed, items, result.sets, count);
    if (logits.empty()) break;
    result.logits.insert(result.logits.end(), logits.begin(), logits.end());
    result.sets += count;
    if (!keep_going(static_cast<double>(result.sets) / sets)) break;
  }
  return result;
}

std::vector<double> mean_entropies(const SizeLogits& logits, std::span<const double> theta) {
  const auto items = static_cast<std::size_t>(logits.items);
  std::vector<double> means;
  for (const double t : theta) {
    double sum = 0;
    for (int set = 0; set < logits.sets; ++set) {
      const auto row =
          std::span(logits.logits).subspan(static_cast<std::size_t>(set) * items, items);
      sum += summarise_logits<float>(row, t).entropy;
    }
    means.push_back(sum / logits.sets);
  }
  return means;
}

HeadSurface empty_head_surface(std::span<const int> sizes, std::span<const double> theta,
                               int sets) {
  HeadSurface surface;
  surface.sizes.assign(sizes.begin(), sizes.end());
  surface.theta.assign(theta.begin(), theta.end());
  surface.entropy.assign(sizes.size() * theta.size(), std::numeric_limits<double>::quiet_NaN());
  surface.sets = sets;
  return surface;
}

HeadSurface head_entropy_surface(Backend& backend, const Parameters<float>& head,
                                 std::uint32_t seed, std::span<const int> sizes,
                                 std::span<const double> theta, int sets,
                                 const Progress& keep_going) {
  HeadSurface surface = empty_head_surface(sizes, theta, sets);
  double all = 0;
  for (const int size : sizes)
    all += 1.0 * size * sets;
  double items_done = 0;
  for (std::size_t column = 0; column < sizes.size(); ++column) {
    const int items = sizes[column];
    std::vector<double> sums(theta.size(), 0.0);
    for (int done = 0; done < sets;) {
      const int count = std::min(sets_at_once(items), sets - done);
      std::vector<float> logits = drawn_logits(backend, head, seed, items, done, count);
      if (logits.empty()) return surface;
      const std::vector<double> means = mean_entropies({items, count, std::move(logits)}, theta);
      done += count;
      items_done += 1.0 * items * count;
      for (std::size_t row = 0; row < means.size(); ++row) {
        sums[row] += means[row] * count;
        if (done == sets) surface.entropy[row * sizes.size() + column] = sums[row] / sets;
      }
      if (!keep_going(items_done / all)) return surface;
    }
  }
  return surface;
}

}  // namespace dispersion
