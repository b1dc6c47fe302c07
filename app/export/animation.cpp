#include "app/export/animation.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace dispersion {
namespace {

// The roles of the curves whose colours not every GIF has.
std::vector<ColourRole> further_roles(const Figure& figure) {
  std::vector<ColourRole> roles;
  for (const LinePlot& plot : figure.plots) {
    for (const Series& series : plot.series) {
      if (series.role >= ColourRole::kThird && std::ranges::find(roles, series.role) == roles.end())
        roles.push_back(series.role);
    }
  }
  return roles;
}

}  // namespace

Animation animation_of(std::span<const Figure> figures, const SheetSize& size,
                       const DrawOptions& options, const AnimationTiming& timing) {
  if (figures.empty()) throw std::invalid_argument("an animation needs a figure");
  DrawOptions opaque = options;
  opaque.transparent = false;
  Animation animation;
  for (const Figure& figure : figures)
    animation.frames.push_back({picture_pixels(figure, size, opaque), timing.milliseconds});
  animation.frames.back().milliseconds = timing.last_milliseconds;
  animation.rounds = timing.rounds;
  animation.colours = gif_colours(options.palette, further_roles(figures.back()));
  animation.pixels_per_inch = size.pixels_per_inch;
  animation.title = figures.back().title;
  animation.sentence = figures.back().sentence;
  animation.provenance = figures.back().provenance;
  return animation;
}

void require_animation(const Animation& animation) {
  // Both formats store times and rounds in 16 bits.
  constexpr int kLongest = std::numeric_limits<std::uint16_t>::max();
  if (animation.frames.empty()) throw std::invalid_argument("an animation needs a frame");
  if (animation.rounds < 0 || animation.rounds > kLongest)
    throw std::invalid_argument("an animation runs 0 to 65535 times");
  const Pixels& first = animation.frames.front().pixels;
  for (const AnimationFrame& frame : animation.frames) {
    const Pixels& pixels = frame.pixels;
    const auto count =
        static_cast<std::size_t>(first.width) * static_cast<std::size_t>(first.height);
    if (pixels.width != first.width || pixels.height != first.height ||
        pixels.rgba.size() != count || count == 0)
      throw std::invalid_argument("the frames of an animation have one size, not 0");
    if (frame.milliseconds < 1 || frame.milliseconds > kLongest)
      throw std::invalid_argument("a frame is shown for 1 to 65535 ms");
  }
}

}  // namespace dispersion
