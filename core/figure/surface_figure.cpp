#include "core/figure/figures.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/experiment/entropy_surface.h"
#include "core/figure/axis.h"
#include "core/figure/number_text.h"

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
std::string region_name(const PowerSeriesSurface& region) {
  return std::string(region.lambda.back() > 1 ? "λ ≥ 1" : "λ ≤ 1") +
         (region.theta.back() > 1 ? ", θ ≥ 1" : ", θ ≤ 1");
}

FieldPlot region_plot(const PowerSeriesSurface& region, const std::string& subtitle, double top) {
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

std::string series_sentence(const std::vector<PowerSeriesSurface>& regions, PowerSeries series) {
  const PowerSeriesSurface& first = regions.front();
  const PowerSeriesSurface& last = regions.back();
  const double lambda = (first.lambda.front() + first.lambda.back()) / 2;
  const auto entropy = [&](double theta) {
    return fixed_text(power_series_entropy(lambda, theta, series), 3);
  };
  const std::string where = series.first_exponent > 0 ? "At λ = 0 and λ = 1" : "At λ = 1";
  return where + " all " + std::to_string(series.terms) + " logits are equal and H = log " +
         std::to_string(series.terms) + " = " + fixed_text(std::log(series.terms), 3) +
         " at every temperature. Elsewhere H rises with θ: at λ = " + fixed_text(lambda, 2) +
         " from " + entropy(first.theta.front()) + " at θ = " + fixed_text(first.theta.front(), 2) +
         " to " + entropy(1) + " at θ = 1 and " + entropy(last.theta.back()) +
         " at θ = " + fixed_text(last.theta.back(), 2) + ".";
}

// The row of the surface whose theta is nearest to 1.
std::size_t plain_row(const HeadSurface& surface) {
  const auto nearest = std::ranges::min_element(
      surface.theta, {}, [](double theta) { return std::abs(std::log(theta)); });
  return static_cast<std::size_t>(nearest - surface.theta.begin());
}

std::string head_sentence(const HeadSurface& surface) {
  const std::size_t columns = surface.sizes.size();
  const auto at = [&](std::size_t row, std::size_t column) {
    return fixed_text(surface.entropy[row * columns + column], 2);
  };
  const std::size_t plain = plain_row(surface);
  return "At θ = " + fixed_text(surface.theta[plain], 2) + " the entropy of this head goes from " +
         at(plain, 0) + " nats at n = " + grouped_text(surface.sizes.front()) + " to " +
         at(plain, columns - 1) + " at n = " + grouped_text(surface.sizes.back()) +
         "; there θ = " + fixed_text(surface.theta.front(), 2) + " brings it down to " +
         at(0, columns - 1) + ".";
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
  figure.title = "Entropy rises with temperature";
  const std::string subtitle = "softmax of λⁱ / θ, i = " + std::to_string(series.first_exponent) +
                               " … " + std::to_string(series.first_exponent + series.terms - 1);
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
  plot.subtitle = "mean over " + grouped_text(surface.sets) + " sets";
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
