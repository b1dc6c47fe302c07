#include "app/panels/heatmap_layout.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/experiment/dispersion.h"

namespace dispersion {

HeatmapLayout place_grid(const Painter& painter, ImVec2 corner, ImVec2 room, int strips,
                         int frames) {
  HeatmapLayout grid;
  grid.frames = frames;
  grid.strips = strips;
  grid.labels = room.x > painter.px(560) ? painter.px(92) : 0;
  grid.gap = room.x > painter.px(560) ? painter.px(6) : painter.px(3);
  grid.name_line = grid.labels > 0 ? 0 : painter.px(18);
  const float header = painter.px(20);
  const float caption = painter.px(kCaption);
  const float width = room.x - grid.labels - grid.gap * static_cast<float>(frames - 1);
  grid.frame_width = std::floor(width / static_cast<float>(frames));
  const float height = (room.y - header - static_cast<float>(strips) * (caption + grid.name_line)) /
                       static_cast<float>(strips);
  const float row = std::clamp(std::floor(height / kFrameSets), 1.0F, painter.px(9));
  grid.frame_height = height < kFrameSets ? std::max(height, 1.0F) : row * kFrameSets;
  grid.strip_pitch =
      grid.frame_height + caption + grid.name_line + (strips > 1 ? painter.px(4) : 0);
  grid.start = {corner.x + grid.labels, corner.y + header + grid.name_line};
  return grid;
}

std::vector<bool> labelled_frames(std::span<const float> widths, float frame_width, float pitch,
                                  float between, int kept) {
  const int count = static_cast<int>(widths.size());
  const auto width = [&](int i) { return widths[static_cast<std::size_t>(i)]; };
  const auto left = [&](int i) {
    const float beyond = i == count - 1 ? std::max(0.0F, width(i) - frame_width) : 0;
    return static_cast<float>(i) * pitch - beyond;
  };
  const auto touches = [&](int i, int next) { return left(i) + width(i) + between > left(next); };
  const auto fits = [&](int step) {
    for (int i = (count - 1) % step; i + step < count; i += step) {
      if (touches(i, i + step)) return false;
    }
    return true;
  };
  int step = 1;
  while (step < count && !fits(step))
    ++step;
  std::vector<bool> drawn(widths.size());
  for (int i = 0; i < count; ++i) {
    const bool hidden = kept >= 0 && i != kept && (i < kept ? touches(i, kept) : touches(kept, i));
    drawn[static_cast<std::size_t>(i)] = i == kept || ((count - 1 - i) % step == 0 && !hidden);
  }
  return drawn;
}

float least_height(const Painter& painter, float width, int strips) {
  const float names = width > painter.px(560) ? 0 : 18;
  return painter.px(16 + static_cast<float>(strips) * (54 + kCaption + 4 + names));
}

}  // namespace dispersion
