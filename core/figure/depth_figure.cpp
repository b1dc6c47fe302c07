#include "core/figure/depth_figure.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "core/figure/decade_axis.h"
#include "core/figure/magnitude_text.h"
#include "core/figure/number_text.h"
#include "core/figure/ticks.h"

namespace dispersion {
namespace {

// Below this a spread of logits of size 1 is only rounding.
constexpr double kSmallestShown = 1e-14;

std::string pattern_name(TokenPattern pattern) {
  switch (pattern) {
    case TokenPattern::kFirst:
      return "{a, b, b, …}";
    case TokenPattern::kLast:
      return "{b, …, b, a}";
    case TokenPattern::kHalf:
      return "{a, b, a, b, …}";
    case TokenPattern::kRandom:
      break;
  }
  return "random tokens";
}

ColourRole layer_role(std::size_t layer) {
  if (layer == 0) return ColourRole::kBaseline;
  return layer == 1 ? ColourRole::kAdaptive : ColourRole::kNeutral;
}

using Value = std::function<double(const LayerSpread&)>;

Series layer_series(const DepthRun& run, std::size_t layer, const Value& value) {
  Series series;
  series.name = "layer " + std::to_string(layer + 1);
  series.role = layer_role(layer);
  for (std::size_t size = 0; size < run.items.size(); ++size) {
    const double y = value(run.layers[size][layer]);
    if (!(y > kSmallestShown)) continue;
    series.x.push_back(run.items[size]);
    series.y.push_back(y);
  }
  return series;
}

// One curve per layer.
std::vector<Series> all_layers(const DepthRun& run, const Value& value) {
  std::vector<Series> result;
  for (std::size_t layer = 0; layer < run.layers.front().size(); ++layer) {
    Series series = layer_series(run, layer, value);
    if (!series.x.empty()) result.push_back(std::move(series));
  }
  return result;
}

Axis value_axis(std::string label, const std::vector<Series>& series) {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0;
  for (const Series& curve : series) {
    smallest = std::min(smallest, std::ranges::min(curve.y));
    largest = std::max(largest, std::ranges::max(curve.y));
  }
  return decade_axis(std::move(label), smallest, largest);
}

LinePlot spread_plot(const DepthRun& run) {
  LinePlot plot;
  plot.title = "Spread of the logits";
  plot.subtitle = depth_run_name(run);
  plot.x = size_axis(run.items.front(), run.items.back());
  plot.series = all_layers(run, [](const LayerSpread& s) { return s.delta; });
  plot.y = value_axis("spread δ", plot.series);
  return plot;
}

LinePlot entropy_plot(const DepthRun& run) {
  LinePlot plot;
  plot.title = "Entropy of attention";
  plot.subtitle = "nats, mean over items";
  plot.x = size_axis(run.items.front(), run.items.back());
  plot.series = all_layers(run, [](const LayerSpread& s) { return s.entropy; });
  Series most;
  most.name = "log n";
  most.role = ColourRole::kReference;
  most.markers = false;
  most.line = LineStyle::kDashed;
  for (const int items : run.items) {
    most.x.push_back(items);
    most.y.push_back(std::log(items));
  }
  plot.y = {.label = "entropy H (nats)", .high = std::ceil(most.y.back() + 0.1), .ticks = {}};
  plot.y.ticks = round_ticks(plot.y.low, plot.y.high);
  plot.series.push_back(std::move(most));
  return plot;
}

// What the remark concludes from small weights, in its first layer.
LinePlot erratum_plot(const DepthRun& run) {
  LinePlot plot;
  plot.title = "Small weights, outputs apart";
  plot.subtitle = "first layer";
  plot.x = size_axis(run.items.front(), run.items.back());
  Series weight = layer_series(run, 0, [](const LayerSpread& s) { return s.largest_weight; });
  weight.name = "largest weight";
  weight.role = ColourRole::kBaseline;
  Series apart = layer_series(run, 0, [](const LayerSpread& s) { return s.from_average; });
  apart.name = "distance of an output from the average";
  apart.role = ColourRole::kReference;
  for (Series* series : {&weight, &apart}) {
    if (!series->x.empty()) plot.series.push_back(std::move(*series));
  }
  plot.y = value_axis("weight, distance", plot.series);
  return plot;
}

std::string sentence(const DepthRun& run) {
  const LayerSpread& first = run.layers.back().front();
  const std::string at = " at n = " + grouped_text(run.items.back());
  std::string text = "The spread of the first layer is " + magnitude_text(first.delta) + at;
  if (run.layers.back().size() > 1) {
    text += "; in the second it goes from " + magnitude_text(run.layers.front()[1].delta) +
            " at n = " + grouped_text(run.items.front()) + " to " +
            magnitude_text(run.layers.back()[1].delta);
  }
  text += ".";
  if (run.pattern == TokenPattern::kHalf) {
    text +=
        " The remark in appendix C concludes from small weights alone that all outputs are the "
        "average: here no weight is above " +
        magnitude_text(first.largest_weight) + at + ", and outputs stay " +
        magnitude_text(first.from_average) +
        " of a value's size away from it, because every query weighs a's and b's otherwise.";
  }
  return text;
}

}  // namespace

std::string depth_run_name(const DepthRun& run) {
  return pattern_name(run.pattern) + (run.options.causal ? ", GPT-style" : ", BERT-style") +
         (run.options.residual ? ", residual" : ", no residual");
}

Figure depth_figure(const DepthRun& run) {
  Figure figure;
  figure.name = "depth";
  figure.title = "Dispersion and depth";
  if (run.items.empty() || run.layers.size() != run.items.size()) return figure;
  figure.plots.push_back(spread_plot(run));
  figure.plots.push_back(entropy_plot(run));
  if (run.pattern == TokenPattern::kHalf) figure.plots.push_back(erratum_plot(run));
  figure.sentence = sentence(run);
  return figure;
}

}  // namespace dispersion
