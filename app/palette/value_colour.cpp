#include "app/palette/value_colour.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/figure/signed_values.h"

namespace dispersion {
namespace {

using Steps = std::array<Colour, 11>;

// Of CIE L* 29, 44, 60, 76, 88 and 94 at the hues 258 and 48.
constexpr Steps kOnLight = {rgb(0x004C81), rgb(0x0071B3), rgb(0x3598D5), rgb(0x8FC1EC),
                            rgb(0xD2DEEB), rgb(0xEEEEEE), rgb(0xECD9D2), rgb(0xEFAC91),
                            rgb(0xD8764E), rgb(0xAE4920), rgb(0x772D0F)};

// Of CIE L* 86, 72, 56, 39 and 23 at the same hues; the middle is that of raised ground.
constexpr Steps kOnDark = {rgb(0xB6DBFE), rgb(0x4FB9FE), rgb(0x088ECD), rgb(0x05628E),
                           rgb(0x033B57), rgb(0x000000), rgb(0x572B18), rgb(0x924628),
                           rgb(0xC86E4A), rgb(0xF69974), rgb(0xFFCCB8)};

bool is_dark(Colour ground) {
  return ground.red + ground.green + ground.blue < 3 * 128;
}

std::uint8_t between(std::uint8_t from, std::uint8_t to, double share) {
  return static_cast<std::uint8_t>(from + (to - from) * share + 0.5);
}

Colour signed_colour(double position, const Palette& palette) {
  // What is not a number has one colour in all maps.
  if (!(position >= 0)) return map_colour(ColourMap::kViridis, position);
  return diverging_colour(position, palette);
}

}  // namespace

Colour diverging_colour(double position, const Palette& palette) {
  Steps steps = kOnLight;
  if (is_dark(palette.panel)) {
    steps = kOnDark;
    steps[steps.size() / 2] = palette.raised;
  }
  const double place = std::clamp(position, 0.0, 1.0) * static_cast<double>(steps.size() - 1);
  const std::size_t step = std::min(static_cast<std::size_t>(place), steps.size() - 2);
  const double share = place - static_cast<double>(step);
  const Colour& from = steps[step];
  const Colour& to = steps[step + 1];
  return {between(from.red, to.red, share), between(from.green, to.green, share),
          between(from.blue, to.blue, share)};
}

Colour value_colour(const FieldPlot& plot, double position, const Palette& palette) {
  return has_sign(plot.low, plot.high) ? signed_colour(position, palette)
                                       : map_colour(plot.map, position);
}

Colour value_colour(const HeatmapGrid& grid, double position, const Palette& palette) {
  return has_sign(grid.low, grid.high) ? signed_colour(position, palette) : viridis(position);
}

}  // namespace dispersion
