#include "core/figure/figures.h"

#include <algorithm>
#include <cmath>

#include "core/attention/rule_shape.h"
#include "core/experiment/temperature_fit.h"
#include "core/figure/axis.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr int kCurvePoints = 200;
constexpr double kBarWidth = 0.25;  // nats
// The limits of the axis of 1/theta. The grid of theta gives points at 10, 5, 3.3, ..., 0.1.
constexpr double kLowestInverseTheta = 0.09;
constexpr double kHighestInverseTheta = 11;

std::vector<ShadedRange> paper_windows() {
  std::vector<ShadedRange> ranges;
  for (const RuleWindow& window : rule_windows(AdaptiveRule()))
    ranges.push_back({window.low, window.high, "the paper's rule sharpens here"});
  return ranges;
}

Axis entropy_axis(double highest) {
  Axis axis;
  axis.label = "entropy H at θ = 1 (nats)";
  // At least 6.5, so that the end of the paper's rule is always visible.
  axis.high = std::ceil(std::max(highest, 6.5));
  axis.ticks = round_ticks(axis.low, axis.high);
  return axis;
}

Series scatter(const FitRun& run) {
  Series points;
  points.name = "best 1/θ of a set";
  points.role = ColourRole::kNeutral;
  points.line = LineStyle::kNone;
  for (const FitSample& sample : run.samples) {
    points.x.push_back(sample.entropy);
    points.y.push_back(1 / sample.search.theta);
  }
  return points;
}

// The polynomial itself, without the rule's gate and clamp, where it lies within the limits of
// 1/theta.
Series curve(const AdaptiveRule& rule, std::string name, ColourRole role, double low, double high,
             LineStyle line) {
  Series series;
  series.name = std::move(name);
  series.role = role;
  series.line = line;
  series.markers = false;
  for (int i = 0; i <= kCurvePoints; ++i) {
    const double h = low + (high - low) * i / kCurvePoints;
    const double value = polynomial(rule, h);
    if (value < kLowestInverseTheta || value > kHighestInverseTheta) continue;
    series.x.push_back(h);
    series.y.push_back(value);
  }
  return series;
}

// Counts the sets whose best theta is an end of the grid, since a better one may lie beyond it.
// This is in the subtitle because some styles leave the figure's sentence out.
std::string grid_ends_text(const FitRun& run) {
  const ThetaGrid& grid = run.settings.grid;
  std::string text;
  for (const std::int64_t end : {grid.first, grid.last}) {
    const auto at_end = std::ranges::count(
        run.samples, end, [](const FitSample& sample) { return sample.search.index; });
    if (at_end == 0) continue;
    text += "; " + grouped_text(at_end) +
            " at the grid's end 1/θ = " + significant_text(1 / grid.theta(end), 2);
  }
  return text;
}

LinePlot fit_plot(const FitRun& run, const TemperatureFit& fit, const Axis& entropy) {
  LinePlot plot;
  plot.title = "Best temperature against entropy";
  plot.subtitle = "1/θ that puts the most attention on the maximum, " + grouped_text(fit.samples) +
                  " sets; " + grouped_text(fit.dropped) + " of " + grouped_text(fit.generated) +
                  " dropped" + grid_ends_text(run);
  plot.x = entropy;
  plot.y.label = "1/θ";
  plot.y.logarithmic = true;  // because most points are far above the curves
  plot.y.low = kLowestInverseTheta;
  plot.y.high = kHighestInverseTheta;
  for (const double tick : {0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0})
    plot.y.ticks.push_back({tick, fixed_text(tick, tick < 1 ? 1 : 0)});
  plot.ranges = paper_windows();
  plot.lines.push_back({.value = 1, .label = "no correction", .vertical = false});
  if (fit.samples > 0) plot.series.push_back(scatter(run));
  plot.series.push_back(curve(AdaptiveRule(), "the paper's polynomial", ColourRole::kReference,
                              entropy.low, entropy.high, LineStyle::kDashed));
  if (fit.fit) {
    plot.series.push_back(curve(rule_from(*fit.fit), "this head's polynomial",
                                ColourRole::kAdaptive, fit.entropy_range->low,
                                fit.entropy_range->high, LineStyle::kSolid));
  }
  return plot;
}

LinePlot histogram(const FitRun& run, const Axis& entropy) {
  Bars bars;
  bars.name = "sets";
  bars.role = ColourRole::kBaseline;
  const int count = static_cast<int>(std::ceil(entropy.high / kBarWidth));
  for (int i = 0; i <= count; ++i)
    bars.edge.push_back(i * kBarWidth);
  bars.height.resize(static_cast<std::size_t>(count));
  for (const FitSample& sample : run.samples) {
    const int bar = static_cast<int>(sample.entropy / kBarWidth);
    ++bars.height[static_cast<std::size_t>(std::clamp(bar, 0, count - 1))];
  }
  LinePlot plot;
  plot.title = "Where this head's rows fall";
  plot.subtitle = "sets fitted per quarter of a nat";
  plot.x = entropy;
  plot.y.label = "sets";
  // Leaves room above the bars for the name of the shaded range.
  plot.y.high = std::max(1.0, 1.2 * std::ranges::max(bars.height));
  plot.y.ticks = round_ticks(plot.y.low, plot.y.high);
  plot.ranges = paper_windows();
  plot.bars.push_back(std::move(bars));
  return plot;
}

double share_outside_paper(const FitRun& run) {
  const auto outside = std::ranges::count_if(run.samples, [](const FitSample& sample) {
    return adaptive_beta(AdaptiveRule(), sample.entropy) == 1;
  });
  return static_cast<double>(outside) / static_cast<double>(run.samples.size());
}

std::string peak_text(const std::string& whose, const AdaptiveRule& rule) {
  const std::optional<double> peak = rule_peak(rule);
  if (!peak) return whose + " has no peak";
  return whose + " peaks at H = " + fixed_text(*peak, 2) +
         " with 1/θ = " + fixed_text(polynomial(rule, *peak), 2);
}

// The residual of the fit beside the range of the fitted curve: how little of the scatter the
// polynomial explains.
std::string scatter_text(const FitRun& run, const TemperatureFit& fit) {
  const Series own = curve(rule_from(*fit.fit), "", ColourRole::kNeutral, fit.entropy_range->low,
                           fit.entropy_range->high, LineStyle::kSolid);
  std::string text = grouped_text(fit.at_grid_ends) + " of the " +
                     grouped_text(static_cast<std::int64_t>(run.samples.size())) +
                     " optima lie at an end of the grid, and the residual is " +
                     fixed_text(fit.fit->residual, 2) + " in 1/θ";
  if (own.y.empty()) return text + "; ";
  const auto [low, high] = std::ranges::minmax(own.y);
  return text + ", where this head's curve goes from " + fixed_text(low, 2) + " to " +
         fixed_text(high, 2) + "; ";
}

std::string sentence_of(const FitRun& run, const TemperatureFit& fit) {
  if (!fit.fit) return "There is no fit: " + fit.fit.reason + ".";
  return "From " + grouped_text(fit.samples) +
         " sets between H = " + fixed_text(fit.entropy_range->low, 2) + " and " +
         fixed_text(fit.entropy_range->high, 2) + " " +
         peak_text("this head's polynomial", rule_from(*fit.fit)) + ", " +
         peak_text("the paper's", AdaptiveRule()) + ". " + scatter_text(run, fit) +
         fixed_text(100 * share_outside_paper(run), 1) +
         " % of these sets lie where the paper's rule does nothing.";
}

}  // namespace

Figure fit_figure(const FitRun& run) {
  const TemperatureFit fit = pooled_fit(run);
  const Axis entropy = entropy_axis(fit.entropy_range ? fit.entropy_range->high : 0);
  Figure figure;
  figure.name = "fit";
  figure.title = "The adaptive temperature, fitted to this head";
  figure.plots.push_back(fit_plot(run, fit, entropy));
  figure.plots.push_back(histogram(run, entropy));
  figure.sentence = sentence_of(run, fit);
  return figure;
}

}  // namespace dispersion
