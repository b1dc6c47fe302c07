#include <cstddef>
#include <span>

#include "app/export/animation.h"

namespace dispersion {
namespace {

// From the ground (left out) to the ink (the last).
void add_steps(std::vector<Colour>& colours, Colour ground, Colour ink, int steps) {
  for (int step = 1; step <= steps; ++step)
    colours.push_back(mix(ground, ink, static_cast<float>(step) / static_cast<float>(steps)));
}

}  // namespace

std::vector<Colour> gif_colours(const Palette& palette, std::span<const ColourRole> further) {
  std::vector<Colour> colours;
  // Further curves take their colours from half of the heat maps'.
  const std::size_t step = further.empty() ? 2 : 4;
  for (std::size_t i = 0; i < kViridis.size(); i += step)
    colours.push_back(kViridis[i]);
  colours.back() = kViridis.back();
  colours.push_back(palette.panel);
  add_steps(colours, palette.panel, palette.text, 30);
  add_steps(colours, palette.panel, palette.muted, 22);
  add_steps(colours, palette.panel, palette.baseline, 26);
  add_steps(colours, palette.panel, palette.adaptive, 26);
  add_steps(colours, palette.baseline, palette.adaptive, 8);  // where their lines cross
  add_steps(colours, palette.panel, palette.line, 8);
  add_steps(colours, palette.panel, palette.raised, 7);
  for (const ColourRole role : further)
    add_steps(colours, palette.panel, role_colour(palette, role),
              64 / static_cast<int>(further.size()));
  return colours;  // 128 + 1 + 127, or 64 + 1 + 127 + at most 64
}

}  // namespace dispersion
