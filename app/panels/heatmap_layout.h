#pragma once

#include <span>
#include <vector>

#include "app/panels/painter.h"

namespace dispersion {

constexpr float kCaption = 21;  // height of the line below a strip, in logical pixels

// Where the frames of the heat maps lie, in window units.
struct HeatmapLayout {
  ImVec2 start;  // upper left corner of the first frame of the first strip
  float frame_width = 0;
  float frame_height = 0;
  float gap = 0;
  float strip_pitch = 0;
  float labels = 0;     // width of the column with the strips' names; 0: no room for it
  float name_line = 0;  // without that column, height of the line above each strip for its name
  int frames = 0;
  int strips = 0;

  ImVec2 corner(int strip, float frame) const {
    return {start.x + frame * (frame_width + gap),
            start.y + static_cast<float>(strip) * strip_pitch};
  }
};

// Fits strips and frames into `room` below `corner`. Cells are a whole number of pixels high, so
// that all rows look the same.
HeatmapLayout place_grid(const Painter& painter, ImVec2 corner, ImVec2 room, int strips,
                         int frames);

// Which frames of a strip have their labels drawn, so that none touches the next: all of them or,
// in even steps back from the last, every second, third ... `widths` are those of the labels; each
// begins where its frame does, but the last ends within its own. `kept`, unless it is negative, is
// drawn in place of the neighbours that it touches. `between` is the least gap.
std::vector<bool> labelled_frames(std::span<const float> widths, float frame_width, float pitch,
                                  float between, int kept);

// The room that frames of a height that can be read need; a lower panel scrolls.
float least_height(const Painter& painter, float width, int strips);

}  // namespace dispersion
