#pragma once

#include <cstdint>

#include "app/export/animation.h"

namespace dispersion {

// Of Pixels: red in the lowest byte.
constexpr Colour colour_of_pixel(std::uint32_t rgba) {
  return {static_cast<std::uint8_t>(rgba), static_cast<std::uint8_t>(rgba >> 8),
          static_cast<std::uint8_t>(rgba >> 16)};
}

// Throws std::invalid_argument for what no format can write.
void require_animation(const Animation& animation);

}  // namespace dispersion
