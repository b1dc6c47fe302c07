#include "core/figure/dispersion_animation.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/figure/dispersion_figure.h"
#include "core/figure/number_text.h"
#include "core/figure/ticks.h"

namespace dispersion {
namespace {

Series weights(std::string name, ColourRole role, std::span<const AttentionFrame> frames) {
  Series series;
  series.name = std::move(name);
  series.role = role;
  for (const AttentionFrame& frame : frames) {
    series.x.push_back(frame.items);
    series.y.push_back(frame.mean_weight_on_max);
  }
  return series;
}

LinePlot weight_plot(std::span<const AttentionFrame> plain,
                     std::span<const AttentionFrame> adaptive, Axis sizes) {
  LinePlot plot;
  plot.title = "Weight on the maximum";
  plot.subtitle = "mean over " + std::to_string(kFrameSets) + " sets, against n";
  plot.x = std::move(sizes);
  plot.y = {.label = "weight", .low = 0, .high = 1.04, .ticks = round_ticks(0, 1, 6)};
  plot.series.push_back(weights("softmax", ColourRole::kBaseline, plain));
  if (!adaptive.empty())
    plot.series.push_back(weights("adaptive θ", ColourRole::kAdaptive, adaptive));
  return plot;
}

// With its size, which the figure's title has too where it is shown.
HeatmapGrid grid_of_one_size(std::span<const AttentionFrame> plain,
                             std::span<const AttentionFrame> adaptive, ColourScale scale) {
  HeatmapGrid grid = dispersion_grid(plain, adaptive, scale);
  for (HeatmapStrip& strip : grid.strips)
    strip.frames.front().title = "n = " + grouped_text(plain.front().items);
  grid.frame_label.clear();
  return grid;
}

std::string sentence(const AttentionFrame& plain, std::span<const AttentionFrame> adaptive) {
  const std::string weight = weight_text(plain.mean_weight_on_max);
  return "Of " + grouped_text(plain.items) + " items the largest gets " + weight +
         " of the attention" +
         (adaptive.empty()
              ? "."
              : "; with adaptive temperature " + weight_text(adaptive[0].mean_weight_on_max) + ".");
}

void require_sizes(std::span<const AttentionFrame> plain,
                   std::span<const AttentionFrame> adaptive) {
  const auto size = [](const AttentionFrame& frame) { return frame.items; };
  const bool ascending =
      std::ranges::is_sorted(plain, {}, size) && !plain.empty() && plain.front().items > 0;
  if (!ascending) throw std::invalid_argument("an animation needs frames of ascending sizes");
  if (!adaptive.empty() && !std::ranges::equal(plain, adaptive, {}, size, size))
    throw std::invalid_argument("an animation needs frames of the same sizes");
}

}  // namespace

std::vector<Figure> dispersion_animation(std::span<const AttentionFrame> plain,
                                         std::span<const AttentionFrame> adaptive,
                                         ColourScale scale) {
  require_sizes(plain, adaptive);
  const Axis sizes = size_axis(plain.front().items, plain.back().items);
  std::vector<Figure> figures;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const auto there = adaptive.empty() ? adaptive : adaptive.subspan(i, 1);
    const auto so_far = adaptive.first(adaptive.empty() ? 0 : i + 1);
    Figure figure;
    figure.name = "dispersion-animation";
    figure.title = "n = " + grouped_text(plain[i].items) + " items";
    figure.grids = {grid_of_one_size(plain.subspan(i, 1), there, scale)};
    figure.plots = {weight_plot(plain.first(i + 1), so_far, sizes)};
    figure.sentence = sentence(plain[i], there);
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace dispersion
