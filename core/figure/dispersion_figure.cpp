#include "core/figure/figures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/attention/transforms.h"
#include "core/experiment/dispersion.h"
#include "core/experiment/size_table.h"
#include "core/figure/accuracy_axis.h"
#include "core/figure/axis.h"
#include "core/figure/counted.h"
#include "core/figure/dispersion_text.h"
#include "core/figure/number_text.h"
#include "core/statistics/intervals_and_tests.h"

namespace dispersion {
namespace {

constexpr double kSmallestLogarithmicWeight = 1e-4;

// "θ = 0.32": as it was set, and rounded where that has many digits.
std::string theta_text(double theta) {
  constexpr std::size_t kMostDigits = 6;
  const std::string exact = plain_number(theta);
  return exact.size() <= kMostDigits ? "θ = " + exact : "θ ≈ " + significant_text(theta, 3);
}

// The subtitle of a strip: "θ = 0.5/β(H)" or "θ = 1, k = 16".
std::string strip_subtitle(const AttentionTransform& transform) {
  const TransformDefinition& definition = transform_definition(transform.id);
  std::string text = definition.has_theta ? theta_text(transform.theta) : "θ → 0";
  if (definition.has_rule) text += transform.rule == AdaptiveRule() ? "/β(H)" : "/own β";
  const std::string settings = settings_text(transform);
  return settings.empty() ? text : text + ", " + settings;
}

// The settings that differ from the paper's: ", θ = 0.32, own β(H)".
std::string own_settings(std::span<const AttentionTransform> transforms) {
  std::string text;
  const auto with_theta =
      std::ranges::find_if(transforms, [](const auto& transform) { return transform.theta != 1; });
  if (with_theta != transforms.end()) text += ", " + theta_text(with_theta->theta);
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

// A frame that is not computed yet (items = 0) gives a heat map without rows and columns, so that
// the others keep their places.
Heatmap heatmap(const AttentionFrame& frame) {
  Heatmap map;
  if (frame.items == 0) return map;
  map.title = grouped_text(frame.items);
  map.caption = mean_weight(frame);
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
  const auto computed =
      std::ranges::find_if(frames.frames, [](const auto& f) { return f.items > 0; });
  if (computed != frames.frames.end())
    result.subtitle = Statement::naming(strip_subtitle(computed->transform));
  for (const AttentionFrame& frame : frames.frames)
    result.frames.push_back(heatmap(frame));
  return result;
}

// Appends the y of a row, and its error bar, to a curve.
using AddPoint = std::function<void(const SizeRow&, Series&)>;

// One curve per transform that has rows with sets; `add_point` chooses the quantity.
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

// Of the rows that curves show. Subtitles have it first, since they are cut from their end.
Statement sets_text(std::span<const SizeRow> rows) {
  std::vector<std::int64_t> sets;
  for (const SizeRow& row : rows) {
    if (row.sets > 0) sets.push_back(row.sets);
  }
  if (sets.empty()) return "no sets yet";
  const auto [fewest, most] = std::ranges::minmax(sets);
  return sets_of_sizes(fewest, most);
}

}  // namespace

HeatmapGrid dispersion_grid(std::span<const TransformFrames> transforms, ColourScale scale) {
  HeatmapGrid grid;
  grid.title = "Attention on the 16 largest of n items";
  grid.subtitle = Statement::naming(std::to_string(kFrameSets)) +
                  " sets, one per row; the maximum is the rightmost column";
  grid.scale = scale;
  grid.low = scale == ColourScale::kLogarithmic ? kSmallestLogarithmicWeight : 0;
  grid.high = 1;
  grid.value_label = weight_label(scale);
  grid.caption_label = "weight on max";
  grid.frame_label = "number of items n";
  for (const TransformFrames& frames : transforms)
    grid.strips.push_back(strip(frames));
  return grid;
}

LinePlot accuracy_plot(std::span<const SizeRow> rows) {
  LinePlot plot;
  plot.title = "Accuracy";
  plot.subtitle = "% of " + sets_text(rows) + ", against n, 95 % Wilson intervals";
  plot.x = size_axis_of(rows);
  use_accuracy_axis(plot);
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
  plot.subtitle = "nats (mean of " + sets_text(rows) + "), against n";
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
  const bool adaptive =
      transforms.size() == 2 && transforms[1].transform.id == TransformId::kAdaptive;
  figure.name = adaptive ? "adaptive-dispersion" : "dispersion";
  figure.title = dispersion_title(transforms);
  figure.grids = {dispersion_grid(transforms, scale)};
  figure.sentence = dispersion_sentence(transforms);
  return figure;
}

Figure size_figure(std::span<const SizeRow> rows, std::span<const AttentionTransform> transforms) {
  Figure figure;
  figure.name = "entropy";
  figure.title = size_title(rows);
  figure.plots = {entropy_plot(rows), accuracy_plot(rows)};
  for (LinePlot& plot : figure.plots)
    plot.subtitle += Statement::naming(own_settings(transforms));
  return figure;
}

namespace {

Series weight_series(const AttentionTransform& transform, std::span<const AttentionFrame> frames) {
  const TransformDefinition& definition = transform_definition(transform.id);
  Series series;
  series.name = transform_label(transform);
  series.role = definition.colour;
  series.mark = definition.mark;
  for (const AttentionFrame& frame : frames) {
    series.x.push_back(frame.items);
    series.y.push_back(frame.mean_weight_on_max);
  }
  return series;
}

// The weight on the maximum in the first `count` frames.
LinePlot weight_plot(std::span<const TransformFrames> transforms, std::size_t count, Axis sizes) {
  LinePlot plot;
  plot.title = "Weight on the maximum";
  plot.subtitle = "mean over " + Statement::naming(std::to_string(kFrameSets)) + " sets, against n";
  plot.x = std::move(sizes);
  plot.y = {.label = "weight", .low = 0, .high = 1.04, .ticks = round_ticks(0, 1, 6)};
  for (const auto& [transform, frames] : transforms)
    plot.series.push_back(weight_series(transform, std::span(frames).first(count)));
  return plot;
}

// The heat maps of one size, titled with the size: pictures may leave the figure's title out.
HeatmapGrid grid_of_one_size(std::span<const TransformFrames> transforms, std::size_t index,
                             ColourScale scale) {
  std::vector<TransformFrames> of_size;
  for (const auto& [transform, frames] : transforms)
    of_size.push_back({transform, {frames[index]}});
  HeatmapGrid grid = dispersion_grid(of_size, scale);
  for (HeatmapStrip& strip : grid.strips)
    strip.frames.front().title = "n = " + grouped_text(of_size.front().frames.front().items);
  grid.frame_label.clear();
  return grid;
}

void require_equal_sizes(std::span<const TransformFrames> transforms) {
  const auto size = [](const AttentionFrame& frame) { return frame.items; };
  const std::vector<AttentionFrame> none;
  const std::vector<AttentionFrame>& plain = transforms.empty() ? none : transforms.front().frames;
  const bool ascending =
      std::ranges::is_sorted(plain, {}, size) && !plain.empty() && plain.front().items > 0;
  if (!ascending) throw std::invalid_argument("an animation needs frames of ascending sizes");
  for (const TransformFrames& other : transforms) {
    if (!std::ranges::equal(plain, other.frames, {}, size, size))
      throw std::invalid_argument("an animation needs frames of the same sizes");
  }
}

}  // namespace

std::vector<Figure> dispersion_animation(std::span<const TransformFrames> transforms,
                                         ColourScale scale) {
  require_equal_sizes(transforms);
  const std::vector<AttentionFrame>& plain = transforms.front().frames;
  const Axis sizes = size_axis(plain.front().items, plain.back().items);
  std::vector<Figure> figures;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    Figure figure;
    figure.name = "dispersion-animation";
    figure.title = Statement::naming("n = " + grouped_text(plain[i].items) + " items");
    figure.grids = {grid_of_one_size(transforms, i, scale)};
    figure.plots = {weight_plot(transforms, i + 1, sizes)};
    figure.sentence = animation_sentence(transforms, i);
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace dispersion
