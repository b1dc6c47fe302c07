#include "core/figure/figures.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "core/attention/rule_shape.h"
#include "core/experiment/fit_bootstrap.h"
#include "core/experiment/temperature_fit.h"
#include "core/figure/axis.h"
#include "core/figure/counted.h"
#include "core/figure/number_text.h"
#include "core/math/polynomial.h"

namespace dispersion {
namespace {

constexpr int kCurvePoints = 200;
constexpr double kBarWidth = 0.25;  // nats
// The limits of the axis of 1/theta. The grid of theta gives points at 10, 5, 3.3, ..., 0.1.
constexpr double kLowestInverseTheta = 0.09;
constexpr double kHighestInverseTheta = 11;
// An entropy beyond the end of the paper's rule, which the axis always shows.
constexpr double kAlwaysShown = 6.5;

std::vector<ShadedRange> paper_windows() {
  std::vector<ShadedRange> ranges;
  for (const RuleWindow& window : rule_windows(AdaptiveRule()))
    ranges.push_back({window.low, window.high, "the paper's rule sharpens here"});
  return ranges;
}

Axis entropy_axis(double highest) {
  Axis axis;
  axis.label = "entropy H at θ = 1 (nats)";
  axis.high = std::ceil(std::max(highest, kAlwaysShown));
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

Statement fixed_number(std::string_view what, double value, int decimals = 2) {
  return Statement::number({.what = what, .value = value, .shown = fixed_text(value, decimals)});
}

// Counts the sets whose best theta is an end of the grid, since a better one may lie beyond it.
// This is in the subtitle because some styles leave the figure's sentence out.
Statement grid_ends_text(const FitRun& run) {
  const ThetaGrid& grid = run.settings.grid;
  Statement text;
  for (const std::int64_t end : {grid.first, grid.last}) {
    const auto at_end = std::ranges::count(
        run.samples, end, [](const FitSample& sample) { return sample.search.index; });
    if (at_end == 0) continue;
    text +=
        "; " + count_of("optima at this theta", at_end, {grid.theta(end)}) +
        " at the grid's end 1/θ = " + Statement::naming(significant_text(1 / grid.theta(end), 2));
  }
  return text;
}

LinePlot fit_plot(const FitRun& run, const TemperatureFit& fit, const Axis& entropy) {
  LinePlot plot;
  plot.title = "Best temperature against entropy";
  plot.subtitle = "1/θ that puts the most attention on the maximum, " +
                  counted("samples", fit.samples, "set") + "; " +
                  count_of("sets dropped", fit.dropped) + " of " +
                  count_of("sets drawn", fit.generated) + " dropped" + grid_ends_text(run);
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
  // At the same points for every head, so that two of them have it once.
  plot.series.push_back(curve(AdaptiveRule(), "the paper's polynomial", ColourRole::kReference,
                              entropy.low, kAlwaysShown, LineStyle::kDashed));
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
  plot.title = "Where the fitted sets fall";
  plot.subtitle = "sets that were not dropped, per quarter of a nat";
  plot.x = entropy;
  plot.y.label = "sets";
  // Leaves room above the bars for the name of the shaded range.
  plot.y.high = std::max(1.0, 1.2 * std::ranges::max(bars.height));
  plot.y.ticks = round_ticks(plot.y.low, plot.y.high);
  plot.ranges = paper_windows();
  plot.bars.push_back(std::move(bars));
  return plot;
}

std::int64_t count_outside_paper(const FitRun& run) {
  return std::ranges::count_if(run.samples, [](const FitSample& sample) {
    return adaptive_beta(AdaptiveRule(), sample.entropy) == 1;
  });
}

// A value of the curve, which can be of any size where the samples leave it free.
Statement curve_value(std::string_view what, double value) {
  return Statement::number(
      {.what = what,
       .value = value,
       .shown = std::abs(value) < 1000 ? fixed_text(value, 2) : significant_text(value, 3)});
}

// Where a fit_shape() has its peak.
Statement among_samples(const TemperatureFit& fit) {
  const double gate = AdaptiveRule().gate;
  if (fit.entropy_range->low >= gate) return " among the samples";
  return " among the samples above the gate at H = " + Statement::naming(plain_number(gate));
}

// " (912 of 1 000 resamples of the sets have one, the highest at H = 4.3 to 5.1 in at least 95 % of
// these)". `one`: what they have.
Statement resamples_text(const TemperatureFit& fit, const FitBootstrap& bootstrap,
                         const Statement& one) {
  if (!has_freedom(fit)) return " (" + no_freedom_text(fit) + ")";
  if (bootstrap.resamples == 0) return {};
  const auto found = std::ssize(bootstrap.peaks);
  const Statement all =
      " of " + count_of("resamples", bootstrap.resamples) + " resamples of the sets ";
  Statement text = " (";
  if (bootstrap.fitted == bootstrap.resamples) {
    text += count_of("resamples with a peak", found) + all;
  } else {
    text += count_of("resamples with a fit", bootstrap.fitted) + all + "can be fitted, " +
            count_of("resamples with a peak", found) + " of them ";
  }
  text += (found == 1 ? Statement("has ") : Statement("have ")) + one;
  if (found > 1) {
    const Interval middle = middle_of(bootstrap.peaks);
    const int decimals = place_decimals(bootstrap.peaks);
    text += ", the highest at H = " +
            Statement::number({.what = "low end of the resampled peaks",
                               .relation = Relation::kAtLeast,
                               .value = middle.low,
                               .shown = at_least_text(middle.low, decimals)}) +
            " to " +
            Statement::number({.what = "high end of the resampled peaks",
                               .relation = Relation::kAtMost,
                               .value = middle.high,
                               .shown = at_most_text(middle.high, decimals)}) +
            (leaves_some_out(bootstrap.peaks) ? Statement(" in at least 95 % of these")
                                              : Statement(" in these"));
  }
  return text + ")";
}

// The smallest and the largest value of the polynomial within the samples.
Interval range_of_curve(const TemperatureFit& fit) {
  const Interval& samples = *fit.entropy_range;
  const std::vector<double>& coefficients = fit.fit->coefficients;
  std::vector<double> places = sign_changes(derivative_of(coefficients), samples.low, samples.high);
  places.insert(places.end(), {samples.low, samples.high});
  Interval range = {INFINITY, -INFINITY};
  for (const double place : places) {
    const double value = polynomial_value(coefficients, place);
    range = {std::min(range.low, value), std::max(range.high, value)};
  }
  return range;
}

// "its largest value among the samples", or only a local maximum where the polynomial is larger
// elsewhere: at an end, or below the gate.
Statement kind_of_peak(const TemperatureFit& fit, double peak) {
  constexpr double kRounding = 1e-9;  // of two searches for the same place
  const double largest = range_of_curve(fit).high;
  if (polynomial(rule_from(*fit.fit), peak) < largest - kRounding * (1 + std::abs(largest)))
    return "a local maximum";
  return Statement::fact("its largest value among the samples", "largest value at the peak");
}

// " with 1/θ = 2.4": to the first digit of its spread over the resamples. Nothing where that lies
// before the point, and where no spread is known.
Statement value_at_peak_text(double value, const FitBootstrap& bootstrap) {
  const int decimals = decimals_of(bootstrap.at_peak, 1);
  if (!leaves_some_out(bootstrap.at_peak) || decimals < 0) return {};
  return " with 1/θ = " + fixed_number("1/theta at the peak", value, decimals);
}

Statement no_peak_text(const TemperatureFit& fit) {
  return Statement::fact("no local maximum", "no peak among the samples") + among_samples(fit);
}

// Where the polynomial peaks among the samples, and how sure that is.
Statement peak_text(const TemperatureFit& fit, const FitBootstrap& bootstrap) {
  const AdaptiveRule rule = rule_from(*fit.fit);
  const Interval curve = range_of_curve(fit);
  if (curve.low == curve.high) {
    return Statement::fact("this head's polynomial is constant", "constant polynomial");
  }
  const std::optional<double> peak = fit_shape(rule, *fit.entropy_range).peak;
  const Statement has = "this head's polynomial has ";
  if (!peak) return has + no_peak_text(fit) + resamples_text(fit, bootstrap, "one");
  return has + kind_of_peak(fit, *peak) + " at H = " +
         fixed_number("peak among the samples", *peak, place_decimals(bootstrap.peaks)) +
         value_at_peak_text(polynomial(rule, *peak), bootstrap) +
         resamples_text(fit, bootstrap, "a local maximum" + among_samples(fit));
}

// The paper's polynomial needs no samples; it falls to both sides without end.
Statement papers_peak_text() {
  const AdaptiveRule rule;
  const double peak = *rule_peak(rule);
  return "the paper's has its largest value at H = " +
         fixed_number("peak of the paper's rule", peak) +
         " with 1/θ = " + fixed_number("1/theta at the paper's peak", polynomial(rule, peak));
}

// "3 of the 40 optima lie", "1 of the 8 optima lies", "All 8 optima lie"
Statement ends_text(const TemperatureFit& fit) {
  const Statement count = count_of("optima at an end of the grid", fit.at_grid_ends);
  if (fit.at_grid_ends == fit.samples) return "All " + count + " optima lie";
  return count + " of the " + count_of("samples", fit.samples) +
         (fit.at_grid_ends == 1 ? Statement(" optima lies") : Statement(" optima lie"));
}

// The residual of the fit beside the range of the fitted curve: how little of the scatter the
// polynomial explains.
Statement scatter_text(const TemperatureFit& fit) {
  const Interval range = range_of_curve(fit);
  return ends_text(fit) + " at an end of the grid, and the residual is " +
         fixed_number("residual", fit.fit->residual) +
         " in 1/θ, where this head's curve goes from " +
         curve_value("smallest 1/theta of the curve", range.low) + " to " +
         curve_value("largest 1/theta of the curve", range.high);
}

// "3 of these sets lie where the paper's rule does nothing"
Statement outside_paper_text(const FitRun& run, const TemperatureFit& fit) {
  const std::int64_t outside = count_outside_paper(run);
  const Statement all = Statement::fact("all ", "the paper's rule does nothing for any sample");
  return (outside == fit.samples ? all : Statement()) +
         count_of("samples where the paper's rule does nothing", outside) +
         (outside == 1 ? Statement(" of these sets lies") : Statement(" of these sets lie")) +
         " where the paper's rule does nothing";
}

Statement sentence_of(const FitRun& run, const TemperatureFit& fit, const FitBootstrap& bootstrap) {
  if (!fit.fit) return "There is no fit: " + no_fit_text(run, fit) + ".";
  return "From " + count_of("samples", fit.samples) +
         " sets between H = " + fixed_number("smallest entropy", fit.entropy_range->low) + " and " +
         fixed_number("largest entropy", fit.entropy_range->high) + ", " +
         peak_text(fit, bootstrap) + "; " + papers_peak_text() + ". " + scatter_text(fit) + "; " +
         outside_paper_text(run, fit) + ".";
}

// "Its samples have H from 0.31 to 5.19 nats"
Statement samples_text(const TemperatureFit& fit) {
  return "its samples have H from " + fixed_number("smallest entropy", fit.entropy_range->low) +
         " to " + fixed_number("largest entropy", fit.entropy_range->high) + " nats";
}

}  // namespace

Statement no_fit_text(const FitRun& run, const TemperatureFit& fit) {
  if (fit.generated == 0) return "no sets yet";
  if (fit.samples == 0) {
    return Statement::fact(fit.fit.reason, "all sets dropped",
                           {static_cast<double>(fit.items), static_cast<double>(fit.generated)});
  }
  const std::vector<double> at = {static_cast<double>(fit.items)};
  const std::vector<double> entropies = fit_points(run, fit.items).entropy;
  const auto distinct = std::ssize(std::set<double>(entropies.begin(), entropies.end()));
  if (fit.samples <= kRuleDegree) {
    return Statement::fact(fit.fit.reason,
                           {count_claim("samples, too few for a fit", fit.samples, at)});
  }
  if (distinct <= kRuleDegree) {
    return Statement::fact(fit.fit.reason,
                           {count_claim("different entropies, too few for a fit", distinct, at)});
  }
  return Statement::fact(fit.fit.reason, "entropies too close together for a fit", at);
}

Statement no_freedom_text(const TemperatureFit& fit) {
  const std::vector<double> at = {static_cast<double>(fit.items)};
  return Statement::fact("it goes through all ", "polynomial through all samples", at) +
         count_of("samples of a polynomial through all", fit.samples, at) +
         " samples, and nothing tells how sure it is";
}

Statement fitted_rule_text(const TemperatureFit& fit) {
  return "Adaptive θ takes this head's polynomial, in every view: " + samples_text(fit) +
         ", and for other H it is continued without any.";
}

Statement held_rule_text(const TemperatureFit& fit, const FitBootstrap& bootstrap) {
  const AdaptiveRule rule = rule_from(*fit.fit);
  const std::optional<double> peak = fit_shape(rule, *fit.entropy_range).peak;
  const Statement place =
      peak ? fixed_number("peak among the samples", *peak, place_decimals(bootstrap.peaks)) +
                 " on, where it has " + kind_of_peak(fit, *peak)
           : fixed_number("largest entropy", fit.entropy_range->high) + " on, its last sample";
  return "The same, but from H = " + place + ", β keeps its value there.";
}

Figure fit_figure(const FitRun& run, const FitBootstrap& bootstrap) {
  const TemperatureFit fit = pooled_fit(run);
  const Axis entropy = entropy_axis(fit.entropy_range ? fit.entropy_range->high : 0);
  Figure figure;
  figure.name = "fit";
  figure.title = fit.fit ? Statement("The adaptive temperature, fitted to this head")
                         : Statement("The best temperatures of this head");
  figure.plots.push_back(fit_plot(run, fit, entropy));
  figure.plots.push_back(histogram(run, entropy));
  figure.sentence = sentence_of(run, fit, bootstrap);
  return figure;
}

}  // namespace dispersion
