#include "app/panels/heatmap_labels.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "app/panels/actions.h"
#include "app/panels/compared_figures.h"
#include "app/session/frame_at.h"
#include "app/window/theme.h"
#include "core/experiment/dispersion.h"
#include "core/experiment/size_table.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

// Where a label of this width begins: with its frame, but the last one ends with it.
float label_left(const HeatmapLayout& grid, int frame, float width) {
  const float left = grid.corner(0, static_cast<float>(frame)).x;
  return frame == grid.frames - 1 ? left - std::max(0.0F, width - grid.frame_width) : left;
}

// The frames whose n and mean weights are written beside them.
std::vector<bool> frames_with_labels(const AppState& app, const PanelState& state,
                                     const HeatmapLayout& grid, std::span<const int> sizes) {
  const Painter& painter = state.painter;
  std::vector<float> widths;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    float width = measure(painter, TextStyle::kSmall, grouped_text(sizes[i])).x;
    for (const HeatmapStrip& strip : grid_in_view(state).strips)
      width = std::max(width, measure(painter, TextStyle::kSmall, strip.frames[i].caption).x);
    widths.push_back(width);
  }
  return labelled_frames(widths, grid.frame_width, grid.frame_width + grid.gap, painter.px(5),
                         size_index(app.view.focused_items));
}

void draw_captions(const PanelState& state, const HeatmapLayout& grid, int strip,
                   const std::vector<bool>& labelled) {
  const Painter& painter = state.painter;
  const HeatmapStrip& figure = grid_in_view(state).strips[static_cast<std::size_t>(strip)];
  const float y = grid.corner(strip, 0).y + grid.frame_height + painter.px(4);
  for (int frame = 0; frame < grid.frames; ++frame) {
    const auto index = static_cast<std::size_t>(frame);
    if (!labelled[index]) continue;
    const std::string& caption = figure.frames[index].caption;
    const float width = measure(painter, TextStyle::kSmall, caption).x;
    draw_text(painter, ImGui::GetWindowDrawList(), {label_left(grid, frame, width), y},
              TextStyle::kSmall, role_colour(*painter.palette, figure.role), caption);
  }
}

void draw_size_names(const AppState& app, const Painter& painter, const HeatmapLayout& grid,
                     std::span<const int> sizes, const std::vector<bool>& labelled) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float y = grid.start.y - painter.px(20);
  for (int i = 0; i < grid.frames; ++i) {
    if (!labelled[static_cast<std::size_t>(i)]) continue;
    const int items = sizes[static_cast<std::size_t>(i)];
    const bool focused = items == app.view.focused_items;
    const std::string name = grouped_text(items);
    const float x = label_left(grid, i, measure(painter, TextStyle::kSmall, name).x);
    const float width = draw_text(painter, list, {x, y}, TextStyle::kSmall,
                                  focused ? painter.palette->text : painter.palette->muted, name);
    // Which step a map is of that lags behind; without room for it the subtitle says it of all.
    const FrameAt at = frame_at(app, items);
    const std::string age = at.step < 0 ? "" : frame_age_text(at);
    const float room = grid.frame_width - width - painter.px(8);
    if (age.empty() || measure(painter, TextStyle::kSmall, age).x > room) continue;
    draw_text(painter, list, {x + width + painter.px(8), y}, TextStyle::kSmall,
              painter.palette->muted, age);
  }
}

constexpr const char* kMeanOfMaps = "of these 32 sets";
static_assert(kFrameSets == 32);

void draw_strip_names(const PanelState& state, const HeatmapLayout& grid, float left) {
  const Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (int strip = 0; strip < grid.strips; ++strip) {
    const HeatmapStrip& figure = grid_in_view(state).strips[static_cast<std::size_t>(strip)];
    const float y = grid.corner(strip, 0).y;
    draw_text(painter, list, {left, y - painter.px(1)}, TextStyle::kSection,
              role_colour(p, figure.role), figure.title);
    draw_text(painter, list, {left, y + painter.px(18)}, TextStyle::kSmall, p.muted,
              figure.subtitle);
    const bool difference =
        state.compared && state.compared->is_difference(static_cast<std::size_t>(strip));
    if (difference && grid.frame_height >= painter.px(62))
      draw_difference_key(state, {left, y + painter.px(37)}, grid.labels - painter.px(14));
    // The mean of the sets that are drawn; the column beside has that of more.
    const float below = y + grid.frame_height + painter.px(4);
    const bool two_lines = grid.frame_height >= painter.px(60);
    draw_text(painter, list, {left, below - (two_lines ? painter.px(15) : 0)}, TextStyle::kSmall,
              p.muted, "weight on max");
    if (two_lines) draw_text(painter, list, {left, below}, TextStyle::kSmall, p.muted, kMeanOfMaps);
  }
}

// What the numbers below the frames are, in the words for which there is room; empty: there is
// none.
std::string caption_that_fits(const Painter& painter, float room) {
  for (const char* words :
       {"below each: weight on max, mean ", "below: weight on max ", "below: "}) {
    const std::string caption = words + std::string(kMeanOfMaps);
    if (measure(painter, TextStyle::kSmall, caption).x <= room) return caption;
  }
  return "";
}

// Without room for names beside the strips, they stand above them, the first above the sizes. There
// the numbers below the frames are named, too.
void draw_names_above(const PanelState& state, const HeatmapLayout& grid) {
  const Painter& painter = state.painter;
  ImDrawList* list = ImGui::GetWindowDrawList();
  float first_end = 0;  // of the first strip's names
  for (int strip = 0; strip < grid.strips; ++strip) {
    const HeatmapStrip& figure = grid_in_view(state).strips[static_cast<std::size_t>(strip)];
    const ImVec2 corner = grid.corner(strip, 0);
    const float y = corner.y - grid.name_line - (strip == 0 ? painter.px(20) : 0);
    const float width = draw_text(painter, list, {corner.x, y}, TextStyle::kSection,
                                  role_colour(*painter.palette, figure.role), figure.title);
    const float subtitle = corner.x + width + painter.px(10);
    const float end =
        subtitle + draw_text(painter, list, {subtitle, y + painter.px(1)}, TextStyle::kSmall,
                             painter.palette->muted, figure.subtitle);
    if (strip == 0) first_end = end;
  }
  const float right = grid.corner(0, static_cast<float>(grid.frames)).x - grid.gap;
  const std::string caption = caption_that_fits(painter, right - first_end - painter.px(14));
  draw_text(painter, list,
            {right - measure(painter, TextStyle::kSmall, caption).x,
             grid.corner(0, 0).y - grid.name_line - painter.px(19)},
            TextStyle::kSmall, painter.palette->muted, caption);
}

}  // namespace

void draw_heatmap_labels(const AppState& app, const PanelState& state, const HeatmapLayout& grid,
                         std::span<const int> sizes) {
  const std::vector<bool> labelled = frames_with_labels(app, state, grid, sizes);
  draw_size_names(app, state.painter, grid, sizes, labelled);
  if (grid.labels > 0) {
    draw_strip_names(state, grid, grid.start.x - grid.labels);
  } else {
    draw_names_above(state, grid);
  }
  for (int strip = 0; strip < grid.strips; ++strip)
    draw_captions(state, grid, strip, labelled);
}

}  // namespace dispersion
