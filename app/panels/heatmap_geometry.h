#pragma once

#include "app/panels/painter.h"

namespace dispersion {

// Where the frames of the heat maps lie, in window units.
struct HeatmapLayout {
  ImVec2 start;  // of the first frame of the first strip
  float frame_width = 0;
  float frame_height = 0;
  float gap = 0;
  float strip_pitch = 0;
  float labels = 0;     // width of the column with the strips' names
  float name_line = 0;  // height of the line above each strip for its name, where no column fits
  int frames = 0;
  int strips = 0;

  ImVec2 corner(int strip, float frame) const {
    return {start.x + frame * (frame_width + gap),
            start.y + static_cast<float>(strip) * strip_pitch};
  }
};

// Fits strips and frames into `room` below `corner`. Cells are whole pixels high, so that rows are
// even.
HeatmapLayout place_grid(const Painter& painter, ImVec2 corner, ImVec2 room, int strips,
                         int frames);

}  // namespace dispersion
