#include "core/experiment/temperature_fit.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/attention/softmax.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

// So few items in one batch that the Progress is called many times a second, although every set is
// searched over a hundred temperatures.
constexpr int kItemsAtOnce = 1 << 13;

void validate(const FitSettings& settings) {
  if (settings.sizes.empty()) throw std::invalid_argument("a fit needs at least one size");
  require_sizes(settings.sizes, settings.sets);
  if (settings.grid.first < 1 || settings.grid.last < settings.grid.first ||
      !(settings.grid.per_unit > 0)) {
    throw std::invalid_argument("a grid of temperatures must lie above 0 and not be empty");
  }
}

// Drops a set, or makes a sample of it.
void add_set(std::span<const float> logits, std::span<const float> priority, std::size_t size,
             const Progress& keep_going, FitRun& run) {
  const auto target = static_cast<std::size_t>(first_largest(priority));
  if (logits[target] == *std::max_element(logits.begin(), logits.end())) {
    ++run.dropped[size];
    return;
  }
  const std::vector<double> row(logits.begin(), logits.end());
  run.samples.push_back({.items = run.settings.sizes[size],
                         .entropy = summarise_logits<double>(row, 1).entropy,
                         .search = search_theta(row, target, run.settings.grid, keep_going)});
}

// Why a fit has no samples. The maximum may share the largest logit, so that none is larger is all
// that is known of its sets.
std::string no_samples_reason(std::int64_t generated) {
  if (generated == 0) return "no sets yet";
  const std::string why = "no logit is larger than the maximum's";
  if (generated == 1) return "the only set was dropped: in it, " + why;
  return "all " + grouped_text(generated) + " sets were dropped: in each, " + why;
}

// Completes a fit, which has the size and the numbers of sets, with the counts of its samples and
// with the polynomial.
TemperatureFit fit_of(const FitRun& run, TemperatureFit fit) {
  for (const FitSample& sample : run.samples) {
    if (fit.items != 0 && sample.items != fit.items) continue;
    fit.at_grid_ends += sample.search.index == run.settings.grid.first ||
                        sample.search.index == run.settings.grid.last;
    fit.above_one += sample.search.theta > 1;
  }
  const FitPoints points = fit_points(run, fit.items);
  fit.samples = static_cast<std::int64_t>(points.entropy.size());
  if (fit.samples == 0) {
    const std::string reason = no_samples_reason(fit.generated);
    fit.entropy_range = no_answer<Interval>(reason);
    fit.fit = no_answer<PolynomialFit>(reason);
    return fit;
  }
  const auto [low, high] = std::ranges::minmax(points.entropy);
  fit.entropy_range = answer(Interval{low, high});
  fit.fit = fit_polynomial(points.entropy, points.inverse_theta, kRuleDegree);
  return fit;
}

}  // namespace

double log_probability(std::span<const double> logits, std::size_t target, double theta) {
  const LogitSummary summary = summarise_logits(logits, theta);
  return (logits[target] - summary.max) / theta - summary.log_sum;
}

ThetaSearch search_theta(std::span<const double> logits, std::size_t target, const ThetaGrid& grid,
                         const Progress& keep_going) {
  const bool takes_long = logits.size() > static_cast<std::size_t>(kItemsAtOnce);
  const auto value = [&](std::int64_t index) {
    if (takes_long && !keep_going(0)) throw Stopped();
    return log_probability(logits, target, grid.theta(index));
  };
  // The first index whose successor is not better.
  std::int64_t low = grid.first;
  std::int64_t high = grid.last;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (value(middle + 1) > value(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  double second = -std::numeric_limits<double>::infinity();
  if (low > grid.first) second = value(low - 1);
  if (low < grid.last) second = std::max(second, value(low + 1));
  const double best = value(low);
  return {low, grid.theta(low), best, best - second};
}

FitRun start_fit(FitSettings settings) {
  validate(settings);
  FitRun run;
  run.settings = std::move(settings);
  run.generated.resize(run.settings.sizes.size());
  run.dropped.resize(run.settings.sizes.size());
  return run;
}

bool advance_fit(FitRun& run, const Parameters<float>& head, Backend& backend,
                 const Progress& keep_going) {
  const auto next = std::ranges::find_if(
      run.generated, [&](std::int64_t generated) { return generated < run.settings.sets; });
  if (next == run.generated.end()) return false;
  const auto size = static_cast<std::size_t>(next - run.generated.begin());
  const int items = run.settings.sizes[size];
  const auto row = static_cast<std::size_t>(items);
  ItemSets sets;
  sets.resize(static_cast<int>(std::min<std::int64_t>(std::max(1, kItemsAtOnce / items),
                                                      run.settings.sets - *next)),
              items);
  draw_item_sets(run.settings.seed, RandomPurpose::kTemperatureFit,
                 static_cast<std::uint32_t>(items), static_cast<std::uint32_t>(*next), sets);
  const double done = share_done(run);
  try {
    std::vector<float> logits;
    backend.attention_logits(head, sets.view(), logits);
    for (std::size_t set = 0; set < static_cast<std::size_t>(sets.sets); ++set) {
      add_set(std::span(logits).subspan(set * row, row),
              std::span(sets.priority).subspan(set * row, row), size, keep_going.part(done, done),
              run);
    }
  } catch (const Stopped&) {
    return false;  // of sets with many items, each of which is a batch of its own
  }
  *next += sets.sets;
  return true;
}

double share_done(const FitRun& run) {
  double done = 0;
  double all = 0;
  for (std::size_t size = 0; size < run.generated.size(); ++size) {
    const double items = run.settings.sizes[size];
    done += items * static_cast<double>(run.generated[size]);
    all += items * static_cast<double>(run.settings.sets);
  }
  return all > 0 ? done / all : 1;
}

FitPoints fit_points(const FitRun& run, int items) {
  FitPoints points;
  for (const FitSample& sample : run.samples) {
    if (items != 0 && sample.items != items) continue;
    points.entropy.push_back(sample.entropy);
    points.inverse_theta.push_back(1 / sample.search.theta);
  }
  return points;
}

TemperatureFit pooled_fit(const FitRun& run) {
  TemperatureFit fit;
  for (std::size_t size = 0; size < run.generated.size(); ++size) {
    fit.generated += run.generated[size];
    fit.dropped += run.dropped[size];
  }
  return fit_of(run, std::move(fit));
}

std::vector<TemperatureFit> fits_by_size(const FitRun& run) {
  std::vector<TemperatureFit> fits;
  for (std::size_t size = 0; size < run.generated.size(); ++size) {
    TemperatureFit fit;
    fit.items = run.settings.sizes[size];
    fit.generated = run.generated[size];
    fit.dropped = run.dropped[size];
    fits.push_back(fit_of(run, std::move(fit)));
  }
  return fits;
}

AdaptiveRule rule_from(const PolynomialFit& fit) {
  AdaptiveRule rule;
  if (fit.coefficients.size() != rule.coefficients.size()) {
    throw std::invalid_argument("the adaptive rule is a polynomial of degree 4");
  }
  std::ranges::copy(fit.coefficients, rule.coefficients.begin());
  return rule;
}

}  // namespace dispersion
