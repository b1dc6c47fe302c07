#include "app/panels/heatmap_geometry.h"

#include <algorithm>
#include <cmath>

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
  const float caption = painter.px(21);
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

}  // namespace dispersion
