#include "app/window/window_place.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace dispersion {
namespace {

// How far two intervals overlap; negative: how far they are apart.
std::int64_t overlap(std::int64_t a, std::int64_t a_size, std::int64_t b, std::int64_t b_size) {
  return std::min(a + a_size, b + b_size) - std::max(a, b);
}

bool reachable(const ScreenRect& window, const ScreenRect& area) {
  return overlap(window.x, window.width, area.x, area.width) >=
             std::min(kLeastVisibleWidth, window.width) &&
         overlap(window.y, std::min(kLeastVisibleHeight, window.height), area.y, area.height) >=
             std::min(kLeastVisibleHeight, window.height);
}

// By how much the window has to move to be in the area.
std::int64_t distance(const ScreenRect& window, const ScreenRect& area) {
  return std::max<std::int64_t>(0, -overlap(window.x, window.width, area.x, area.width)) +
         std::max<std::int64_t>(0, -overlap(window.y, window.height, area.y, area.height));
}

// The start of a part of this size, moved into the area as far as it fits.
int moved_into(std::int64_t start, int size, int area, int area_size) {
  const std::int64_t last = std::int64_t{area} + std::max(0, area_size - size);
  return static_cast<int>(std::clamp<std::int64_t>(start, area, last));
}

}  // namespace

std::optional<ScreenRect> visible_place(const ScreenRect& wanted,
                                        std::span<const ScreenRect> work_areas) {
  if (wanted.width <= 0 || wanted.height <= 0) return std::nullopt;
  const ScreenRect* nearest = nullptr;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const ScreenRect& area : work_areas) {
    if (area.width <= 0 || area.height <= 0) continue;
    if (reachable(wanted, area)) return wanted;
    const std::int64_t away = distance(wanted, area);
    if (away >= least) continue;
    least = away;
    nearest = &area;
  }
  if (nearest == nullptr) return std::nullopt;
  ScreenRect place = wanted;
  place.width = std::min(wanted.width, nearest->width);
  place.height = std::min(wanted.height, nearest->height);
  place.x = moved_into(wanted.x, place.width, nearest->x, nearest->width);
  place.y = moved_into(wanted.y, place.height, nearest->y, nearest->height);
  return place;
}

}  // namespace dispersion
