#include "core/figure/figures.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/experiment/entropy_surface.h"
#include "core/figure/axis.h"
#include "core/figure/number_text.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr const char* kValueLabel = "entropy H (nats)";

Axis linear_axis(std::string label, const std::vector<double>& values) {
  Axis axis{.label = std::move(label), .low = values.front(), .high = values.back(), .ticks = {}};
  axis.ticks = round_ticks(axis.low, axis.high, 6);
  return axis;
}

std::vector<float> as_floats(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

// "λ ≤ 1, θ ≥ 1"
Statement region_name(const PowerSeriesSurface& region) {
  Statement name = region.lambda.back() > 1 ? "λ ≥ 1" : "λ ≤ 1";
  return name + (region.theta.back() > 1 ? ", θ ≥ 1" : ", θ ≤ 1");
}

FieldPlot region_plot(const PowerSeriesSurface& region, const Statement& subtitle, double top) {
  FieldPlot plot;
  plot.title = region_name(region);
  plot.subtitle = subtitle;
  plot.x = linear_axis("base λ", region.lambda);
  plot.y = linear_axis("temperature θ", region.theta);
  plot.x_value = region.lambda;
  plot.y_value = region.theta;
  plot.values = as_floats(region.entropy);
  plot.high = top;
  plot.value_label = kValueLabel;
  return plot;
}

// The base whose entropies are told as an example: near the middle of the bases below 1, with two
// decimals, and away from 0 and 1, where all logits are equal, if there is such a one.
double example_base(double lowest) {
  const double middle = (lowest + 1) / 2;
  for (const double base : {std::round(100 * middle) / 100, 0.5}) {
    if (base > lowest && base <= 0.9 && std::abs(base) >= 0.1) return base;
  }
  return middle;
}

// The title of the figure: the proposition on entropy, which no base and no temperature breaks.
Statement series_title(PowerSeries series) {
  if (series.terms == 1) return "A single logit has no entropy";
  return Statement::fact("Entropy never falls as the temperature rises",
                         "entropy of a power series never falls");
}

Statement series_sentence(const std::vector<PowerSeriesSurface>& regions, PowerSeries series) {
  if (series.terms == 1) {
    return Statement::fact("The one logit has all the weight: H = 0 for every λ and θ.",
                           "entropy of one logit is 0");
  }
  const PowerSeriesSurface& first = regions.front();
  const PowerSeriesSurface& last = regions.back();
  const double lambda = example_base(first.lambda.front());
  const auto entropy_at = [&](double theta) {
    const double entropy = power_series_entropy(lambda, theta, series);
    return Statement::number({.what = "entropy of a power series (nats)",
                              .at = {lambda, theta},
                              .value = entropy,
                              .shown = fixed_text(entropy, 3)}) +
           " at θ = " + Statement::naming(exact_text(theta));
  };
  const Statement terms = Statement::naming(std::to_string(series.terms));
  const double most = std::log(series.terms);
  return (series.first_exponent > 0 ? Statement("At λ = 0 and λ = 1") : Statement("At λ = 1")) +
         (series.terms == 2 ? Statement(" both") : " all " + terms) +
         " logits are equal and H = log " + terms + " = " +
         Statement::number({.what = "entropy of equal logits (nats)",
                            .at = {static_cast<double>(series.terms)},
                            .value = most,
                            .shown = fixed_text(most, 3)}) +
         " at every temperature. " +
         Statement::fact("At any other λ H rises with θ",
                         "entropy rises with theta where logits differ") +
         ": at λ = " + Statement::naming(exact_text(lambda)) + " it is " +
         entropy_at(first.theta.front()) + ", " + entropy_at(1) + " and " +
         entropy_at(last.theta.back()) + ".";
}

// The row of the surface whose theta is nearest to 1.
std::size_t plain_row(const HeadSurface& surface) {
  const auto nearest = std::ranges::min_element(
      surface.theta, {}, [](double theta) { return std::abs(std::log(theta)); });
  return static_cast<std::size_t>(nearest - surface.theta.begin());
}

// The columns that are computed, in ascending order of n.
std::vector<std::size_t> known_columns(const HeadSurface& surface) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < surface.sizes.size(); ++i) {
    if (!std::isnan(surface.entropy[i])) columns.push_back(i);
  }
  std::ranges::stable_sort(columns, {}, [&](std::size_t i) { return surface.sizes[i]; });
  return columns;
}

Statement entropy_at(const HeadSurface& surface, std::size_t row, std::size_t column) {
  const double entropy = surface.entropy[row * surface.sizes.size() + column];
  return Statement::number({.what = "mean entropy of the head (nats)",
                            .at = {static_cast<double>(surface.sizes[column]), surface.theta[row]},
                            .value = entropy,
                            .shown = fixed_text(entropy, 2)});
}

// What the lowest theta makes of the entropy at this size, where it is lower than the row `plain`.
Statement coldest_text(const HeadSurface& surface, std::size_t plain, std::size_t column) {
  const Statement before = entropy_at(surface, plain, column);
  const Statement after = entropy_at(surface, 0, column);
  const Statement theta = "; there θ = " + Statement::naming(significant_text(surface.theta[0], 2));
  if (before.text() == after.text()) return theta + " leaves it at " + after;
  return theta +
         Statement::fact(" brings it down to ", "the lowest temperature lowers the entropy",
                         {static_cast<double>(surface.sizes[column]), surface.theta[0]}) +
         after;
}

Statement head_sentence(const HeadSurface& surface) {
  const std::vector<std::size_t> columns = known_columns(surface);
  if (columns.empty()) return {};
  const std::size_t plain = plain_row(surface);
  const auto at_size = [&](std::size_t column) {
    return entropy_at(surface, plain, column) +
           " nats at n = " + Statement::naming(grouped_text(surface.sizes[column]));
  };
  Statement text = "At θ = " + Statement::naming(significant_text(surface.theta[plain], 2)) +
                   " the mean entropy of this head ";
  text += columns.size() == 1
              ? "is " + at_size(columns.front())
              : "goes from " + at_size(columns.front()) + " to " + at_size(columns.back());
  if (plain > 0) text += coldest_text(surface, plain, columns.back());
  return text + ".";
}

// Lets a logarithmic axis end where the cells of the outermost samples end: half a step beyond
// them.
void end_with_cells(Axis& axis, const std::vector<double>& samples) {
  if (samples.size() < 2) return;
  axis.low = samples.front() / std::sqrt(samples[1] / samples[0]);
  axis.high = samples.back() * std::sqrt(samples.back() / samples[samples.size() - 2]);
  std::erase_if(axis.ticks, [&](const Tick& tick) { return beyond(axis, tick.value); });
}

}  // namespace

Figure power_series_figure(const std::vector<PowerSeriesSurface>& regions, PowerSeries series) {
  Figure figure;
  figure.name = "surface";
  figure.title = series_title(series);
  const Statement subtitle =
      "softmax of λⁱ / θ, i = " + Statement::naming(std::to_string(series.first_exponent)) + " … " +
      Statement::naming(std::to_string(series.first_exponent + series.terms - 1));
  for (const PowerSeriesSurface& region : regions)
    figure.fields.push_back(region_plot(region, subtitle, std::log(std::max(2, series.terms))));
  if (!regions.empty()) figure.sentence = series_sentence(regions, series);
  return figure;
}

Figure head_surface_figure(const HeadSurface& surface) {
  Figure figure;
  figure.name = "head_surface";
  figure.title = "Entropy of this head";
  if (surface.sizes.empty() || surface.theta.empty()) return figure;
  FieldPlot plot;
  plot.title = "Entropy over n and θ";
  plot.subtitle = "mean over " + Statement::naming(counted_text(surface.sets, "set"));
  const auto [smallest, largest] = std::ranges::minmax(surface.sizes);
  plot.x = size_axis(smallest, largest);
  plot.y = decade_axis("temperature θ", surface.theta.front(), surface.theta.back());
  plot.x_value.assign(surface.sizes.begin(), surface.sizes.end());
  plot.y_value = surface.theta;
  end_with_cells(plot.x, plot.x_value);
  end_with_cells(plot.y, plot.y_value);
  plot.values = as_floats(surface.entropy);
  plot.high = std::max(1.0, std::log(largest));
  plot.value_label = kValueLabel;
  figure.fields.push_back(std::move(plot));
  figure.sentence = head_sentence(surface);
  return figure;
}

}  // namespace dispersion
