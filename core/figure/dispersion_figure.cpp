#include "core/figure/dispersion_figure.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "core/attention/transforms.h"
#include "core/figure/number_text.h"
#include "core/figure/ticks.h"
#include "core/statistics/intervals_and_tests.h"

namespace dispersion {
namespace {

constexpr double kSmallestLogarithmicWeight = 1e-4;

std::string theta_text(double theta) {
  return "θ = " + (theta == 1 ? "1" : fixed_text(theta, 2));
}

// "θ = 0.5/β(H)" or "θ = 1, k = 16": what stands below the name of a strip.
std::string below_text(const AttentionTransform& transform) {
  const TransformDefinition& definition = transform_definition(transform.id);
  std::string text = definition.has_theta ? theta_text(transform.theta) : "θ → 0";
  if (definition.has_rule) text += transform.rule == AdaptiveRule() ? "/β(H)" : "/own β";
  const std::string settings = settings_text(transform);
  return settings.empty() ? text : text + ", " + settings;
}

// ", θ = 0.32, own β(H)": what the paper's transforms have not.
std::string own_settings(std::span<const AttentionTransform> transforms) {
  std::string text;
  const auto heated =
      std::ranges::find_if(transforms, [](const auto& transform) { return transform.theta != 1; });
  if (heated != transforms.end()) text += ", " + theta_text(heated->theta);
  const auto own_rule = [](const AttentionTransform& transform) {
    return transform_definition(transform.id).has_rule && transform.rule != AdaptiveRule();
  };
  if (std::ranges::any_of(transforms, own_rule)) text += ", own β(H)";
  return text;
}

std::string weight_label(ColourScale scale) {
  switch (scale) {
    case ColourScale::kSquareRoot:
      return "attention weight (square-root scale)";
    case ColourScale::kLogarithmic:
      return "attention weight (logarithmic scale)";
    case ColourScale::kLinear:
      break;
  }
  return "attention weight";
}

// A frame that is not there yet keeps its place, without rows or columns.
Heatmap heatmap(const AttentionFrame& frame) {
  Heatmap map;
  if (frame.items == 0) return map;
  map.title = grouped_text(frame.items);
  map.caption = weight_text(frame.mean_weight_on_max);
  map.rows = kFrameSets;
  map.columns = frame.columns;
  map.values = frame.weights;
  return map;
}

HeatmapStrip strip(const TransformFrames& frames) {
  const TransformDefinition& definition = transform_definition(frames.transform.id);
  HeatmapStrip result;
  result.title = definition.label;
  result.role = definition.colour;
  const auto there = std::ranges::find_if(frames.frames, [](const auto& f) { return f.items > 0; });
  if (there != frames.frames.end()) result.subtitle = below_text(there->transform);
  for (const AttentionFrame& frame : frames.frames)
    result.frames.push_back(heatmap(frame));
  return result;
}

// Adds one point of a row to a curve.
using AddPoint = std::function<void(const SizeRow&, Series&)>;

// One curve per transform that has a row with sets; `add_point` chooses what is plotted.
std::vector<Series> curves(std::span<const SizeRow> rows, const AddPoint& add_point) {
  std::vector<Series> result;
  for (const TransformDefinition* definition : transform_definitions()) {
    Series series;
    series.role = definition->colour;
    series.mark = definition->mark;
    for (const SizeRow& row : rows) {
      if (row.transform.id != definition->id || row.sets == 0) continue;
      if (series.name.empty()) series.name = transform_label(row.transform);
      series.x.push_back(row.items);
      add_point(row, series);
    }
    if (!series.x.empty()) result.push_back(std::move(series));
  }
  return result;
}

Axis size_axis_of(std::span<const SizeRow> rows) {
  if (rows.empty()) return size_axis(16, 16384);
  const auto [low, high] = std::ranges::minmax(rows, {}, &SizeRow::items);
  return size_axis(low.items, high.items);
}

// "2 048 sets", or "64 to 2 048 sets" where sizes differ.
std::string sets_text(std::span<const SizeRow> rows) {
  if (rows.empty()) return "no sets yet";
  const auto [low, high] = std::ranges::minmax(rows, {}, &SizeRow::sets);
  if (high.sets == 0) return "no sets yet";
  if (low.sets == high.sets) return grouped_text(high.sets) + " sets";
  return grouped_text(low.sets) + " to " + grouped_text(high.sets) + " sets";
}

// "0.95 at n = 16 to 0.24 at n = 16 384"; empty where there is no frame.
std::string weights_text(std::span<const AttentionFrame> frames) {
  const auto there = [](const AttentionFrame& frame) { return frame.items > 0; };
  const auto first = std::ranges::find_if(frames, there);
  if (first == frames.end()) return "";
  const AttentionFrame& last = *std::find_if(frames.rbegin(), frames.rend(), there);
  return weight_text(first->mean_weight_on_max) + " at n = " + grouped_text(first->items) + " to " +
         weight_text(last.mean_weight_on_max) + " at n = " + grouped_text(last.items);
}

}  // namespace

HeatmapGrid dispersion_grid(std::span<const TransformFrames> transforms, ColourScale scale) {
  HeatmapGrid grid;
  grid.title = "Attention on the 16 largest of n items";
  grid.subtitle = "32 sets, one per row; the maximum is the rightmost column";
  grid.scale = scale;
  grid.low = scale == ColourScale::kLogarithmic ? kSmallestLogarithmicWeight : 0;
  grid.high = 1;
  grid.value_label = weight_label(scale);
  grid.caption_label = "weight on the max";
  grid.frame_label = "number of items n";
  for (const TransformFrames& frames : transforms)
    grid.strips.push_back(strip(frames));
  return grid;
}

LinePlot accuracy_plot(std::span<const SizeRow> rows) {
  LinePlot plot;
  plot.title = "Accuracy";
  plot.subtitle = "% against n, of " + sets_text(rows) + ", 95 % Wilson intervals";
  plot.x = size_axis_of(rows);
  // A little air above 100, so that a perfect score is not cut in half.
  plot.y = {.label = "accuracy (%)", .low = 0, .high = 104, .ticks = round_ticks(0, 100, 6)};
  plot.series = curves(rows, [](const SizeRow& row, Series& series) {
    const Interval interval = wilson_interval(row.correct, row.sets);
    series.y.push_back(100 * row.accuracy());
    series.low.push_back(100 * interval.low);
    series.high.push_back(100 * interval.high);
  });
  return plot;
}

LinePlot entropy_plot(std::span<const SizeRow> rows) {
  LinePlot plot;
  plot.title = "Entropy of attention";
  plot.subtitle = "nats against n, mean over " + sets_text(rows);
  plot.x = size_axis_of(rows);
  plot.series = curves(
      rows, [](const SizeRow& row, Series& series) { series.y.push_back(row.mean_entropy()); });
  double top = 1;
  for (const Series& series : plot.series)
    top = std::max(top, std::ranges::max(series.y));
  plot.y.label = "entropy H (nats)";
  plot.y.high = std::ceil(top * 1.02);
  plot.y.ticks = round_ticks(plot.y.low, plot.y.high);
  return plot;
}

Figure dispersion_figure(std::span<const TransformFrames> transforms, ColourScale scale) {
  Figure figure;
  const bool plain = transforms.size() < 2;
  const bool adaptive =
      transforms.size() == 2 && transforms[1].transform.id == TransformId::kAdaptive;
  figure.name = adaptive ? "adaptive-dispersion" : "dispersion";
  figure.title = plain      ? "Sharp attention disperses"
                 : adaptive ? "Adaptive temperature sharpens attention, as far as it can"
                            : "How far attention stays sharp under several transforms";
  figure.grids = {dispersion_grid(transforms, scale)};
  const std::string weights = transforms.empty() ? "" : weights_text(transforms.front().frames);
  if (weights.empty()) return figure;
  figure.sentence = "The weight on the maximum goes from " + weights;
  for (const TransformFrames& other : transforms.subspan(1)) {
    const std::string sharpened = weights_text(other.frames);
    if (sharpened.empty()) continue;
    figure.sentence.append("; with ").append(transform_definition(other.transform.id).words);
    figure.sentence += " from " + sharpened;
  }
  figure.sentence += ".";
  return figure;
}

Figure size_figure(std::span<const SizeRow> rows, std::span<const AttentionTransform> transforms) {
  Figure figure;
  figure.name = "entropy";
  figure.title = "Entropy grows with n, and accuracy falls";
  figure.plots = {entropy_plot(rows), accuracy_plot(rows)};
  for (LinePlot& plot : figure.plots)
    plot.subtitle += own_settings(transforms);
  return figure;
}

}  // namespace dispersion
