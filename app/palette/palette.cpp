#include <algorithm>
#include <array>
#include <cmath>

#include "app/palette/palette.h"

namespace dispersion {
namespace {

constexpr float kPalest = 0.5F;  // how far the last series of a role is mixed with the background

std::uint8_t mix_channel(std::uint8_t from, std::uint8_t to, float share) {
  const float value = static_cast<float>(from) * (1 - share) + static_cast<float>(to) * share;
  return static_cast<std::uint8_t>(std::lround(value));
}

}  // namespace

Colour mix(Colour from, Colour to, float share) {
  return {mix_channel(from.red, to.red, share), mix_channel(from.green, to.green, share),
          mix_channel(from.blue, to.blue, share)};
}

std::vector<Colour> series_colours(const Palette& palette, std::span<const Series> series) {
  std::vector<Colour> colours;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const ColourRole role = series[i].role;
    const LineStyle line = series[i].line;
    // A dashed and a solid curve of one role need no different colours.
    const auto same = [role, line](const Series& other) {
      return other.role == role && other.line == line;
    };
    const auto before = std::ranges::count_if(series.first(i), same);
    const auto all = std::ranges::count_if(series, same);
    const float share =
        all > 1 ? kPalest * static_cast<float>(before) / static_cast<float>(all - 1) : 0;
    colours.push_back(mix(role_colour(palette, role), palette.panel, share));
  }
  return colours;
}

}  // namespace dispersion
