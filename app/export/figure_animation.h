#pragma once

#include <span>
#include <string>

#include "app/export/figure_file.h"

namespace dispersion {

// How long its frames are seen, and how often it runs.
struct AnimationTiming {
  int milliseconds = 1000;       // each frame
  int last_milliseconds = 3000;  // the last one
  int rounds = 0;                // 0: for ever
};

// The bytes of an animation of these figures, one after the other on a sheet with room for every
// one of them; kGif or kApng. Throws std::invalid_argument as figure_bytes, and without figures.
std::string animation_bytes(std::span<const Figure> figures, FigureFormat format,
                            const RenderOptions& render_options, const AnimationTiming& timing);

// How its frames are styled: curves have a legend, because names at their ends would move with
// them, and the axes with the names.
RenderOptions animation_render_options(RenderOptions render_options);

}  // namespace dispersion
