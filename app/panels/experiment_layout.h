#pragma once

#include <imgui.h>

#include <optional>
#include <vector>

#include "app/panels/painter.h"
#include "core/figure/figure.h"
#include "core/figure/figure_layout.h"

namespace dispersion {

// Where the parts of an experiment's figure stand in the window.

inline constexpr float kBetweenParts = 8;  // logical pixels
inline constexpr float kSwitch = 170;      // width of the switch between heat maps and surfaces
inline constexpr float kSwitchRow = 30;    // height of its row where it stands below the title

// The switch between heat maps and surfaces stands beside the title, or below it where that needs
// the room.
bool switch_beside(const Painter& painter, const Figure& figure, float width);
// The height of title, switch and sentence in this width.
float head_height(const Painter& painter, const Figure& figure, float width);

// `stacked`: one below the other, in a column that scrolls.
FigureLayout layout_of(const Painter& painter, const Figure& figure, ImVec2 corner, ImVec2 size,
                       bool stacked);
// Whether a part would be too small to be read.
bool crowded(const Painter& painter, const FigureLayout& layout);

// Where a plot below the text, as in `usual`, is too low for its width: the box of the text beside
// the plot, which it takes from it in `whole`, the layout without a text above. Nothing where the
// plot is high enough, or too low for the text.
std::optional<FigureBox> text_beside_plot(const Painter& painter, const Figure& figure,
                                          const FigureLayout& usual, FigureLayout& whole);

// What is presented of a figure at a time, so that all of it can be read without scrolling: the
// whole, or the plots and then each table, or each part alone. Tables have their main rows. The
// sentence stands on the first page, if it is `headed` and leaves room for the rest.
std::vector<Figure> presented_pages(const Painter& painter, const Figure& figure, bool headed,
                                    ImVec2 size);

}  // namespace dispersion
