#include "core/figure/figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "core/figure/axis.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

// The spread of logits of size 1 is nothing but rounding below this.
constexpr double kSmallestShown = 1e-14;
// So is the difference of two entropies, relative to their size.
constexpr double kEntropyNoise = 1e-14;

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

// The first layers have colours of their own; all further ones are neutral.
ColourRole layer_role(std::size_t layer) {
  constexpr std::array kRoles = {ColourRole::kBaseline, ColourRole::kAdaptive, ColourRole::kThird,
                                 ColourRole::kFourth, ColourRole::kFifth};
  return layer < kRoles.size() ? kRoles[layer] : ColourRole::kNeutral;
}

// A quantity of one layer; `items`: the length of the sequence.
using Value = std::function<double(const LayerSpread&, int items)>;

// The entropy of uniform attention, averaged over the items: log n, or the mean of log i with
// causal attention, where item i attends to i items only.
double uniform_entropy(bool causal, int items) {
  return causal ? std::lgamma(items + 1.0) / items : std::log(items);
}

// The quantity of one layer against n: the points that the plot shows, or the others, which are 0
// to rounding.
Series layer_series(const DepthRun& run, std::size_t layer, const Value& value, bool shown) {
  Series series;
  series.name = "layer " + std::to_string(layer + 1);
  series.role = layer_role(layer);
  for (std::size_t size = 0; size < run.items.size(); ++size) {
    const double y = value(run.layers[size][layer], run.items[size]);
    if ((y > kSmallestShown) != shown) continue;
    series.x.push_back(run.items[size]);
    series.y.push_back(y);
  }
  return series;
}

std::int64_t count_points(const std::vector<Series>& layers) {
  std::int64_t points = 0;
  for (const Series& series : layers)
    points += static_cast<std::int64_t>(series.x.size());
  return points;
}

// The end of a subtitle, which counts the points that are not shown. They are 0, which a
// logarithmic axis cannot show, in every layer after uniform attention.
std::string hidden_text(const LinePlot& plot) {
  const std::int64_t hidden = count_points(plot.unseen);
  if (hidden == 0) return "";
  return "; " + grouped_text(hidden) + (hidden == 1 ? " point" : " points") +
         ", 0 to rounding, not shown";
}

// One curve per layer.
std::vector<Series> all_layers(const DepthRun& run, const Value& value, bool shown) {
  std::vector<Series> result;
  for (std::size_t layer = 0; layer < run.layers.front().size(); ++layer) {
    Series series = layer_series(run, layer, value, shown);
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
  plot.x = size_axis(run.items.front(), run.items.back());
  const Value delta = [](const LayerSpread& s, int) { return s.delta; };
  plot.series = all_layers(run, delta, true);
  plot.unseen = all_layers(run, delta, false);
  plot.subtitle = depth_run_name(run) + hidden_text(plot);
  plot.y = value_axis("spread δ", plot.series);
  return plot;
}

// How far the entropy is below that of uniform attention, its largest value: attention disperses as
// fast as this gap closes.
LinePlot entropy_gap_plot(const DepthRun& run) {
  const bool causal = run.options.causal;
  LinePlot plot;
  plot.title = "Gap to the entropy of uniform attention";
  plot.x = size_axis(run.items.front(), run.items.back());
  const Value gap = [causal](const LayerSpread& s, int items) {
    const double largest = uniform_entropy(causal, items);
    const double difference = largest - s.entropy;
    return difference > kEntropyNoise * largest ? difference : 0;
  };
  plot.series = all_layers(run, gap, true);
  plot.unseen = all_layers(run, gap, false);
  plot.subtitle = "mean over items" + hidden_text(plot);
  plot.y = value_axis(causal ? "mean of log i, minus H (nats)" : "log n − H (nats)", plot.series);
  return plot;
}

// The counterexample to the remark in appendix C, in the first layer: small weights, but outputs
// that stay away from their average.
LinePlot erratum_plot(const DepthRun& run) {
  LinePlot plot;
  plot.title = "Small weights, outputs apart";
  plot.subtitle = "first layer";
  plot.x = size_axis(run.items.front(), run.items.back());
  for (const bool shown : {true, false}) {
    Series weight = layer_series(
        run, 0, [](const LayerSpread& s, int) { return s.largest_weight; }, shown);
    weight.name = "largest weight";
    weight.role = ColourRole::kBaseline;
    Series apart = layer_series(
        run, 0, [](const LayerSpread& s, int) { return s.from_average; }, shown);
    apart.name = "distance of an output from the average";
    apart.role = ColourRole::kReference;
    for (Series* series : {&weight, &apart}) {
      if (!series->x.empty()) (shown ? plot.series : plot.unseen).push_back(std::move(*series));
    }
  }
  plot.y = value_axis("weight, distance", plot.series);
  return plot;
}

std::string sentence(const DepthRun& run, const LinePlot& spreads) {
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
  const std::int64_t hidden = count_points(spreads.unseen);
  if (hidden > 0) {
    const std::int64_t all = count_points(spreads.series) + hidden;
    text += " Of the " + grouped_text(all) + " spreads " + grouped_text(hidden) +
            (hidden == 1 ? " is" : " are") + " 0 to rounding and not shown.";
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
  figure.plots.push_back(entropy_gap_plot(run));
  if (run.pattern == TokenPattern::kHalf) figure.plots.push_back(erratum_plot(run));
  figure.sentence = sentence(run, figure.plots.front());
  return figure;
}

}  // namespace dispersion
