#include "core/figure/figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "core/experiment/corollary.h"
#include "core/figure/axis.h"
#include "core/figure/counted.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

// The spread of logits of size 1 is nothing but rounding below this.
constexpr double kSmallestShown = 1e-14;
// So is the difference of two entropies, relative to their size.
constexpr double kEntropyNoise = 1e-14;
// The machine epsilon of the remark.
constexpr NumberFormat kBf16 = kNumberFormats[1];
static_assert(kBf16.name == "bf16");

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

std::string layer_name(std::size_t layer) {
  return "layer " + std::to_string(layer + 1);
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
  series.name = layer_name(layer);
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

// The end of a subtitle, which counts the points that are not shown: those that are 0 to rounding,
// as in every layer after uniform attention, have no place on a logarithmic axis.
Statement hidden_text(std::string_view what, const LinePlot& plot) {
  const std::int64_t hidden = count_points(plot.unseen);
  if (hidden == 0) return {};
  return "; " + counted(what, hidden, "point") + ", 0 to rounding, not shown";
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
  plot.title = "Logit spread";
  plot.x = size_axis(run.items.front(), run.items.back());
  const Value delta = [](const LayerSpread& s, int) { return s.delta; };
  plot.series = all_layers(run, delta, true);
  plot.unseen = all_layers(run, delta, false);
  plot.subtitle =
      Statement::naming(depth_run_name(run)) + hidden_text("spreads that are 0 to rounding", plot);
  plot.y = value_axis("largest logit spread δ", plot.series);
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
  plot.subtitle = "mean over items" + hidden_text("gaps that are 0 to rounding", plot);
  plot.y = value_axis(causal ? "mean of log i, minus H (nats)" : "log n − H (nats)", plot.series);
  return plot;
}

// What the remark in appendix C is about, in the first layer: the weights, and how far outputs are
// from their average.
LinePlot remark_plot(const DepthRun& run) {
  LinePlot plot;
  plot.title = "Largest weight, and outputs from the average";
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

// A measurement of a layer (from 0) at one of the lengths.
Statement measured(std::string_view what, const DepthRun& run, std::size_t size, std::size_t layer,
                   double value) {
  return Statement::number(
      {.what = what,
       .at = {static_cast<double>(run.items[size]), static_cast<double>(layer + 1)},
       .value = value,
       .shown = magnitude_text(value)});
}

// A spread, or that it is 0 to rounding.
Statement spread_text(const DepthRun& run, std::size_t size, std::size_t layer) {
  const double delta = run.layers[size][layer].delta;
  if (delta > kSmallestShown) return measured("largest logit spread", run, size, layer, delta);
  return Statement::fact("0 to rounding", "logit spread is 0 to rounding",
                         {static_cast<double>(run.items[size]), static_cast<double>(layer + 1)});
}

Statement at_items(const DepthRun& run, std::size_t size) {
  return " at n = " + Statement::naming(grouped_text(run.items[size]));
}

Statement spreads_sentence(const DepthRun& run) {
  const std::size_t last = run.items.size() - 1;
  Statement text = "The largest logit spread of a token in the first layer is " +
                   spread_text(run, last, 0) + at_items(run, last);
  if (run.layers[last].size() < 2) return text + ".";
  if (last == 0) return text + ", in the second " + spread_text(run, last, 1) + ".";
  return text + "; in the second it goes from " + spread_text(run, 0, 1) + at_items(run, 0) +
         " to " + spread_text(run, last, 1) + at_items(run, last) + ".";
}

// What the first layer says about the remark in appendix C, which concludes from weights below the
// machine epsilon that all outputs are the average, for full attention without residual
// connections. The weights can be small enough and the outputs stay apart.
Statement remark_sentence(const DepthRun& run) {
  const std::size_t last = run.items.size() - 1;
  const LayerSpread& layer = run.layers[last].front();
  const Statement weight = measured("largest weight", run, last, 0, layer.largest_weight);
  const Statement away =
      layer.from_average > kSmallestShown
          ? measured("largest distance from the average", run, last, 0, layer.from_average)
          : Statement::fact("0 to rounding", "outputs are the average to rounding",
                            {static_cast<double>(run.items[last])});
  Statement text = " In the first layer the largest weight" + at_items(run, last) + " is " +
                   weight + ", and an output is up to " + away +
                   " of a value's size away from the average of all values.";
  const bool of_remark = !run.options.causal && !run.options.residual;
  if (of_remark && layer.largest_weight < kBf16.epsilon && layer.from_average > kBf16.epsilon) {
    text += Statement::fact(
        " The remark in appendix C concludes from weights below the machine epsilon, as these are "
        "in bf16, that all outputs are the average; they are not.",
        "the remark fails in bf16", {static_cast<double>(run.items[last])});
  }
  return text;
}

// " In the layers 3 and 4 the gap to uniform attention is 0 to rounding at every n, so that they
// have no curve of it."; empty where every layer has one.
Statement layers_without_gap(const DepthRun& run, const LinePlot& gaps) {
  std::vector<std::size_t> missing;
  for (std::size_t layer = 0; layer < run.layers.front().size(); ++layer) {
    const auto is_of_layer = [&](const Series& series) { return series.name == layer_name(layer); };
    if (std::ranges::none_of(gaps.series, is_of_layer)) missing.push_back(layer + 1);
  }
  if (missing.empty()) return {};
  const bool one = missing.size() == 1;
  Statement text = one ? Statement(" In layer ") : Statement(" In the layers ");
  for (std::size_t i = 0; i < missing.size(); ++i) {
    if (i > 0) text += i + 1 == missing.size() ? Statement(" and ") : Statement(", ");
    text += Statement::fact(std::to_string(missing[i]),
                            "gap of a layer is 0 to rounding at every length",
                            {static_cast<double>(missing[i])});
  }
  return text + " the gap to uniform attention is 0 to rounding at every n, so that " +
         (one ? Statement("it has") : Statement("they have")) + " no curve of it.";
}

Statement sentence(const DepthRun& run, const LinePlot& spreads, const LinePlot& gaps) {
  Statement text = spreads_sentence(run);
  if (run.pattern == TokenPattern::kHalf) text += remark_sentence(run);
  const std::int64_t hidden = count_points(spreads.unseen);
  const std::int64_t all = hidden + count_points(spreads.series);
  if (hidden > 0 && all > 1) {
    text += " Of the " + count_of("spreads", all) + " spreads " +
            count_of("spreads that are 0 to rounding", hidden) +
            (hidden == 1 ? Statement(" is") : Statement(" are")) + " 0 to rounding.";
  }
  return text + layers_without_gap(run, gaps);
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
  if (run.pattern == TokenPattern::kHalf) figure.plots.push_back(remark_plot(run));
  figure.sentence = sentence(run, figure.plots[0], figure.plots[1]);
  return figure;
}

}  // namespace dispersion
