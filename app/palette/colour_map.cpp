#include <algorithm>

#include "app/palette/palette.h"

namespace dispersion {
namespace {

constexpr Colour kNotANumber = rgb(0xB8BCC2);

const std::array<Colour, 256>& entries(ColourMap map) {
  switch (map) {
    case ColourMap::kCividis:
      return kCividis;
    case ColourMap::kMagma:
      return kMagma;
    case ColourMap::kViridis:
      break;
  }
  return kViridis;
}

}  // namespace

Colour map_colour(ColourMap map, double position) {
  if (!(position >= 0)) return kNotANumber;
  const double scaled = std::min(position, 1.0) * 255 + 0.5;
  return entries(map)[static_cast<std::size_t>(scaled)];
}

Colour viridis(double position) {
  return map_colour(ColourMap::kViridis, position);
}

}  // namespace dispersion
