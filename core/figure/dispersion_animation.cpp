#include "core/figure/dispersion_animation.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/attention/transforms.h"
#include "core/figure/dispersion_figure.h"
#include "core/figure/number_text.h"
#include "core/figure/ticks.h"

namespace dispersion {
namespace {

Series weights(const AttentionTransform& transform, std::span<const AttentionFrame> frames) {
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

// Of the first `count` frames.
LinePlot weight_plot(std::span<const TransformFrames> transforms, std::size_t count, Axis sizes) {
  LinePlot plot;
  plot.title = "Weight on the maximum";
  plot.subtitle = "mean over " + std::to_string(kFrameSets) + " sets, against n";
  plot.x = std::move(sizes);
  plot.y = {.label = "weight", .low = 0, .high = 1.04, .ticks = round_ticks(0, 1, 6)};
  for (const auto& [transform, frames] : transforms)
    plot.series.push_back(weights(transform, std::span(frames).first(count)));
  return plot;
}

// With its size, which the figure's title has too where it is shown.
HeatmapGrid grid_of_one_size(std::span<const TransformFrames> transforms, std::size_t index,
                             ColourScale scale) {
  std::vector<TransformFrames> there;
  for (const auto& [transform, frames] : transforms)
    there.push_back({transform, {frames[index]}});
  HeatmapGrid grid = dispersion_grid(there, scale);
  for (HeatmapStrip& strip : grid.strips)
    strip.frames.front().title = "n = " + grouped_text(there.front().frames.front().items);
  grid.frame_label.clear();
  return grid;
}

std::string sentence(std::span<const TransformFrames> transforms, std::size_t index) {
  const AttentionFrame& plain = transforms.front().frames[index];
  std::string text = "Of " + grouped_text(plain.items) + " items the largest gets " +
                     weight_text(plain.mean_weight_on_max) + " of the attention";
  for (const auto& [transform, frames] : transforms.subspan(1)) {
    text.append("; with ").append(transform_definition(transform.id).words).append(" ");
    text += weight_text(frames[index].mean_weight_on_max);
  }
  return text + ".";
}

void require_sizes(std::span<const TransformFrames> transforms) {
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
  require_sizes(transforms);
  const std::vector<AttentionFrame>& plain = transforms.front().frames;
  const Axis sizes = size_axis(plain.front().items, plain.back().items);
  std::vector<Figure> figures;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    Figure figure;
    figure.name = "dispersion-animation";
    figure.title = "n = " + grouped_text(plain[i].items) + " items";
    figure.grids = {grid_of_one_size(transforms, i, scale)};
    figure.plots = {weight_plot(transforms, i + 1, sizes)};
    figure.sentence = sentence(transforms, i);
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace dispersion
