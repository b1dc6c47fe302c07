#include "core/experiment/fit_bootstrap.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/attention/rule_shape.h"
#include "core/task/draws.h"

namespace dispersion {
namespace {

// The sets of one size, of which the first `kept` stand for its samples.
struct SizeSets {
  std::uint32_t size = 0;  // its place among the sizes of the run
  std::uint32_t generated = 0;
  std::uint32_t kept = 0;
};

// The sizes of a fit, in the order of their samples.
std::vector<SizeSets> sizes_of(const FitRun& run, const TemperatureFit& fit) {
  std::vector<SizeSets> sizes;
  for (std::size_t i = 0; i < run.generated.size(); ++i) {
    if (fit.items != 0 && run.settings.sizes[i] != fit.items) continue;
    sizes.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(run.generated[i]),
                     static_cast<std::uint32_t>(run.generated[i] - run.dropped[i])});
  }
  return sizes;
}

// How often a resample takes every sample: [samples].
void draw_resample(std::uint32_t seed, std::uint32_t resample, const std::vector<SizeSets>& sizes,
                   std::vector<int>& taken) {
  std::ranges::fill(taken, 0);
  int* of_size = taken.data();
  for (const SizeSets& sets : sizes) {
    PhiloxBlock block = {};
    for (std::uint32_t draw = 0; draw < sets.generated; ++draw) {
      if (draw % 4 == 0) {
        block = draw_block(
            seed, RandomPurpose::kResampling,
            {.step = sets.size, .set = resample, .index = draw / 4, .draw = Draw::kChosen});
      }
      const std::uint32_t set = uniform_below(block.word[draw % 4], sets.generated);
      if (set < sets.kept) ++of_size[set];
    }
    of_size += sets.kept;
  }
}

void add(const std::optional<double>& place, std::vector<double>& places) {
  if (place) places.push_back(*place);
}

}  // namespace

FitShape fit_shape(const AdaptiveRule& rule, const Interval& sampled) {
  FitShape shape;
  shape.peak = rule_peak(rule, sampled.low, sampled.high);
  const std::vector<RuleWindow> windows = rule_windows(rule, sampled.low, sampled.high);
  if (windows.empty()) return shape;
  if (windows.front().low > sampled.low) shape.begin = windows.front().low;
  if (windows.back().high < sampled.high) shape.end = windows.back().high;
  return shape;
}

bool has_freedom(const TemperatureFit& fit) {
  return fit.samples > kRuleDegree + 1;
}

FitBootstrap bootstrap_fit(const FitRun& run, const TemperatureFit& fit,
                           const Progress& keep_going) {
  FitBootstrap result;
  if (!fit.fit || !has_freedom(fit) || keep_going.stopped()) return result;
  const std::optional<double> peak = fit_shape(rule_from(*fit.fit), *fit.entropy_range).peak;
  const FitPoints points = fit_points(run, fit.items);
  const WeightedPolynomials polynomials(points.entropy, points.inverse_theta, kRuleDegree);
  const std::vector<SizeSets> sizes = sizes_of(run, fit);
  std::vector<int> taken(points.entropy.size());
  for (std::uint32_t i = 0; i < kResamples; ++i) {
    if (!keep_going(static_cast<double>(i) / kResamples)) return {};
    draw_resample(run.settings.seed, i, sizes, taken);
    ++result.resamples;
    const auto coefficients = polynomials.coefficients(taken);
    if (!coefficients) continue;
    ++result.fitted;
    const AdaptiveRule rule = rule_from({.coefficients = *coefficients});
    if (peak) result.at_peak.push_back(polynomial(rule, *peak));
    const FitShape shape = fit_shape(rule, *fit.entropy_range);
    add(shape.peak, result.peaks);
    add(shape.begin, result.begins);
    add(shape.end, result.ends);
  }
  for (std::vector<double>* values : {&result.peaks, &result.begins, &result.ends, &result.at_peak})
    std::ranges::sort(*values);
  return result;
}

Interval middle_of(std::span<const double> values) {
  const std::size_t left_out = values.size() / 40;  // 2.5 %
  return {values[left_out], values[values.size() - 1 - left_out]};
}

int decimals_of(std::span<const double> values, int digits) {
  constexpr int kMost = 2;
  if (values.empty()) return kMost;
  const Interval middle = middle_of(values);
  const double width = middle.high - middle.low;
  if (!(width > 0.01)) return kMost;
  return std::min(kMost, digits - 1 - static_cast<int>(std::floor(std::log10(width))));
}

}  // namespace dispersion
