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
#include "core/figure/axis.h"
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

Statement mean_weight(const AttentionFrame& frame) {
  return Statement::number({.what = "mean weight on the maximum",
                            .of = std::string(transform_name(frame.transform.id)),
                            .at = {static_cast<double>(frame.items)},
                            .value = frame.mean_weight_on_max,
                            .shown = weight_text(frame.mean_weight_on_max)});
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

// "2 048 sets", or "64 to 2 048 sets" where sizes differ.
Statement sets_text(std::span<const SizeRow> rows) {
  if (rows.empty()) return "no sets yet";
  const auto [low, high] = std::ranges::minmax(rows, {}, &SizeRow::sets);
  if (high.sets == 0) return "no sets yet";
  if (high.sets == 1 && low.sets == 1) return "one set";
  const std::string fewest = low.sets == high.sets ? "" : grouped_text(low.sets) + " to ";
  return Statement::naming(fewest + grouped_text(high.sets) + " sets");
}

bool is_computed(const AttentionFrame& frame) {
  return frame.items > 0;
}

// The frames that are computed, in their order.
std::vector<const AttentionFrame*> computed_frames(std::span<const AttentionFrame> frames) {
  std::vector<const AttentionFrame*> computed;
  for (const AttentionFrame& frame : frames) {
    if (is_computed(frame)) computed.push_back(&frame);
  }
  return computed;
}

Statement at_size(const AttentionFrame& frame) {
  return mean_weight(frame) + Statement::naming(" at n = " + grouped_text(frame.items));
}

// "goes from 0.95 at n = 16 to 0.24 at n = 16 384", or "is 0.95 at n = 16" where that is all.
Statement weights_text(const std::vector<const AttentionFrame*>& frames) {
  if (frames.size() == 1) return "is " + at_size(*frames.front());
  return "goes from " + at_size(*frames.front()) + " to " + at_size(*frames.back());
}

Statement weights_sentence(std::span<const TransformFrames> transforms) {
  Statement text;
  for (const TransformFrames& each : transforms) {
    const auto frames = computed_frames(each.frames);
    if (frames.empty() && text.empty()) return "";  // softmax is computed first
    if (frames.empty()) continue;
    if (text.empty()) {
      text = "The mean weight on the maximum " + weights_text(frames);
      continue;
    }
    text +=
        Statement::naming("; with " + std::string(transform_definition(each.transform.id).words)) +
        " it " + weights_text(frames);
  }
  return text.empty() ? text : text + ".";
}

// Whether attention begins on the maximum and leaves it: more than half of the weight at the
// smallest n, less than half of that at the largest, and more entropy.
bool disperses(const std::vector<const AttentionFrame*>& frames) {
  if (frames.size() < 2) return false;
  const AttentionFrame& first = *frames.front();
  const AttentionFrame& last = *frames.back();
  return first.mean_weight_on_max > 0.5 && last.mean_weight_on_max < first.mean_weight_on_max / 2 &&
         last.mean_entropy > first.mean_entropy;
}

// Where entropy falls by less, pictures look the same.
constexpr double kVisible = 0.005;  // nats

// At how many of the sizes that both have attention is sharper under `other`.
Statement sharpening_title(const TransformFrames& plain, const TransformFrames& other) {
  int sizes = 0;
  int sharper = 0;
  for (std::size_t i = 0; i < std::min(plain.frames.size(), other.frames.size()); ++i) {
    if (!is_computed(plain.frames[i]) || !is_computed(other.frames[i])) continue;
    ++sizes;
    sharper += plain.frames[i].mean_entropy - other.frames[i].mean_entropy > kVisible;
  }
  if (sharper == 0) return "Attention with and without adaptive temperature";
  const Claim claim = {.what = "sizes at which adaptive attention is sharper",
                       .value = static_cast<double>(sharper)};
  Claim counted = claim;
  counted.shown = std::to_string(sharper);
  if (sharper == sizes) {
    Claim all = claim;
    all.relation = Relation::kHolds;
    return Statement::fact("Adaptive temperature sharpens attention", {std::move(all)});
  }
  return "Adaptive temperature sharpens attention at " + Statement::number(std::move(counted)) +
         Statement::naming(" of " + std::to_string(sizes) + " sizes");
}

Statement frames_title(std::span<const TransformFrames> transforms, bool adaptive) {
  if (adaptive) return sharpening_title(transforms[0], transforms[1]);
  if (transforms.size() > 1) return "Attention under several transforms";
  if (transforms.empty() || !disperses(computed_frames(transforms.front().frames)))
    return "Attention on ever more items";
  return Statement::fact("Sharp attention disperses",
                         {{.what = "sharp attention disperses", .relation = Relation::kHolds}});
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
  // The axis ends a little above 100, so that the curve of a perfect score is not cut in half.
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
  const bool adaptive =
      transforms.size() == 2 && transforms[1].transform.id == TransformId::kAdaptive;
  figure.name = adaptive ? "adaptive-dispersion" : "dispersion";
  figure.title = frames_title(transforms, adaptive);
  figure.grids = {dispersion_grid(transforms, scale)};
  figure.sentence = weights_sentence(transforms);
  return figure;
}

namespace {

// Whether the means of a curve grow from every n to the next.
bool entropy_grows(std::vector<const SizeRow*> rows) {
  std::ranges::sort(rows, {}, &SizeRow::items);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i]->items > rows[i - 1]->items &&
        !(rows[i]->mean_entropy() > rows[i - 1]->mean_entropy()))
      return false;
  }
  return rows.size() > 1 && rows.back()->items > rows.front()->items;
}

// Whether accuracy is lower at the largest n than at the smallest, beyond their intervals.
bool accuracy_falls(const std::vector<const SizeRow*>& rows) {
  const auto [first, last] = std::ranges::minmax(rows, {}, &SizeRow::items);
  return wilson_interval(last->correct, last->sets).high <
         wilson_interval(first->correct, first->sets).low;
}

// What is so of every curve.
Statement size_title(std::span<const SizeRow> rows) {
  bool grows = true;
  bool falls = true;
  Claim claim = {.what = "entropy grows with n", .relation = Relation::kHolds};
  for (const TransformDefinition* definition : transform_definitions()) {
    std::vector<const SizeRow*> curve;
    for (const SizeRow& row : rows) {
      if (row.transform.id == definition->id && row.sets > 0) curve.push_back(&row);
    }
    if (curve.empty()) continue;
    claim.at.push_back(static_cast<double>(definition->id));
    grows = grows && entropy_grows(curve);
    falls = falls && accuracy_falls(curve);
  }
  if (claim.at.empty() || !grows) return "Entropy and accuracy against n";
  if (!falls) return Statement::fact("Entropy grows with n", {claim});
  Claim accuracy = claim;
  accuracy.what = "accuracy falls with n";
  return Statement::fact("Entropy grows with n, and accuracy falls", {claim, accuracy});
}

}  // namespace

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

Statement animation_sentence(std::span<const TransformFrames> transforms, std::size_t index) {
  const AttentionFrame& plain = transforms.front().frames[index];
  Statement text = "Of " + Statement::naming(grouped_text(plain.items)) +
                   " items the largest gets " + mean_weight(plain) +
                   " of the attention on the mean";
  for (const auto& [transform, frames] : transforms.subspan(1)) {
    text +=
        Statement::naming("; with " + std::string(transform_definition(transform.id).words) + " ") +
        mean_weight(frames[index]);
  }
  return text + ".";
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
