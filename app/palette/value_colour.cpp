#include "app/palette/value_colour.h"

#include <algorithm>

#include "core/figure/signed_values.h"

namespace dispersion {
namespace {

// Steps of CIE L* 29, 44, 60, 76, 88 and 94 at the hues 258 and 48.
constexpr std::array<Colour, 11> kSteps = {
    rgb(0x004C81), rgb(0x0071B3), rgb(0x3598D5), rgb(0x8FC1EC), rgb(0xD2DEEB), rgb(0xEEEEEE),
    rgb(0xECD9D2), rgb(0xEFAC91), rgb(0xD8764E), rgb(0xAE4920), rgb(0x772D0F)};

constexpr std::uint8_t between(std::uint8_t from, std::uint8_t to, double share) {
  return static_cast<std::uint8_t>(from + (to - from) * share + 0.5);
}

constexpr std::array<Colour, 256> through(const std::array<Colour, 11>& steps) {
  std::array<Colour, 256> colours;
  for (std::size_t i = 0; i < colours.size(); ++i) {
    const double place = static_cast<double>(i * (steps.size() - 1)) / 255;
    const std::size_t step = std::min(static_cast<std::size_t>(place), steps.size() - 2);
    const double share = place - static_cast<double>(step);
    const Colour& from = steps[step];
    const Colour& to = steps[step + 1];
    colours[i] = {between(from.red, to.red, share), between(from.green, to.green, share),
                  between(from.blue, to.blue, share)};
  }
  return colours;
}

Colour signed_colour(double position) {
  // What is not a number has one colour in all maps.
  if (!(position >= 0)) return map_colour(ColourMap::kViridis, position);
  return kDiverging[static_cast<std::size_t>(std::min(position, 1.0) * 255 + 0.5)];
}

}  // namespace

constinit const std::array<Colour, 256> kDiverging = through(kSteps);

Colour value_colour(const FieldPlot& plot, double position) {
  return has_sign(plot.low, plot.high) ? signed_colour(position) : map_colour(plot.map, position);
}

Colour value_colour(const HeatmapGrid& grid, double position) {
  return has_sign(grid.low, grid.high) ? signed_colour(position) : viridis(position);
}

}  // namespace dispersion
