#include "app/window/ui_scale.h"

#include <algorithm>
#include <array>

namespace dispersion {
namespace {

constexpr std::array<float, 12> kZooms = {0.5F,  0.65F, 0.8F,  0.9F, 1,    1.1F,
                                          1.25F, 1.5F,  1.75F, 2,    2.5F, 3};

}  // namespace

float ui_scale(float content, float zoom, bool projector) {
  return std::clamp(content * zoom * (projector ? kProjectorZoom : 1.0F), 0.5F, 4.0F);
}

float next_zoom(float zoom, int direction) {
  constexpr float kSlack = 1e-3F;
  if (direction > 0) {
    const auto next = std::find_if(kZooms.begin(), kZooms.end(),
                                   [zoom](float step) { return step > zoom + kSlack; });
    return next == kZooms.end() ? kLargestZoom : *next;
  }
  const auto next = std::find_if(kZooms.rbegin(), kZooms.rend(),
                                 [zoom](float step) { return step < zoom - kSlack; });
  return next == kZooms.rend() ? kSmallestZoom : *next;
}

}  // namespace dispersion
