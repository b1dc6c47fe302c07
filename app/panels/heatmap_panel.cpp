#include "app/panels/panels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/actions.h"
#include "app/panels/compared_figures.h"
#include "app/panels/data_table_panel.h"
#include "app/panels/heatmap_colour_bar.h"
#include "app/panels/heatmap_keys.h"
#include "app/panels/heatmap_labels.h"
#include "app/panels/heatmap_layout.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/panel_frame.h"
#include "app/panels/widgets.h"
#include "app/session/frame_at.h"
#include "app/window/theme.h"
#include "core/experiment/dispersion.h"
#include "core/experiment/size_table.h"

namespace dispersion {
namespace {

constexpr float kBarBelow = 28;  // height of the colour bar where it stands below the frames
constexpr float kStaleAlpha = 0.4F;
constexpr double kStalePatience = 0.08;  // seconds before frames fade, so that they do not flicker

// Whether the user has changed the transform since the snapshot was computed.
bool outdated(const AppState& app, const AttentionTransform& transform) {
  const std::vector<AttentionTransform> asked = shown_transforms(app.view);
  return std::ranges::find(asked, transform) == asked.end();
}

// Draws a frame from the texture that holds all of them.
void draw_image(const Texture& texture, int strip, int frame, int columns, ImVec2 low, ImVec2 high,
                float alpha) {
  const float width = static_cast<float>(texture.width());
  const float height = static_cast<float>(texture.height());
  const ImVec2 from = {static_cast<float>(frame * kFrameItems) / width,
                       static_cast<float>(strip * kFrameSets) / height};
  const ImVec2 to = {static_cast<float>(frame * kFrameItems + columns) / width,
                     static_cast<float>((strip + 1) * kFrameSets) / height};
  ImGui::GetWindowDrawList()->AddImage(static_cast<ImTextureID>(texture.name()), low, high, from,
                                       to, IM_COL32(255, 255, 255, static_cast<int>(255 * alpha)));
}

// While the focus moves to another n, the frame of the old n fades out over the new one.
void draw_fading_start(const PanelState& state, const HeatmapLayout& grid, int strip, int frame,
                       ImVec2 low, ImVec2 high) {
  const double share = motion_share(state);
  const int from = size_index(state.motion.from);
  if (share >= 1 || from < 0 || frame != size_index(state.motion.to)) return;
  if (from >= grid.frames) return;
  draw_image(frames_in_view(state), strip, from, kFrameItems, low, high,
             static_cast<float>(1 - share));
}

// Sets the cell under the pointer.
void take_pointer(AppState& app, int items, int rows, int columns, ImVec2 low, ImVec2 high) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float x = (mouse.x - low.x) / (high.x - low.x);
  const float y = (mouse.y - low.y) / (high.y - low.y);
  app.pointer.items = items;
  app.pointer.set = std::clamp(static_cast<int>(y * static_cast<float>(rows)), 0, rows - 1);
  app.pointer.column =
      std::clamp(static_cast<int>(x * static_cast<float>(columns)), 0, columns - 1);
}

void draw_frame(AppState& app, PanelState& state, const HeatmapLayout& grid, int strip, int index,
                std::span<const int> sizes, float stale_alpha) {
  const int items = sizes[static_cast<std::size_t>(index)];
  const HeatmapStrip& figure = grid_in_view(state).strips[static_cast<std::size_t>(strip)];
  const Heatmap& map = figure.frames[static_cast<std::size_t>(index)];
  const ImVec2 low = grid.corner(strip, static_cast<float>(index));
  const ImVec2 high = {low.x + grid.frame_width, low.y + grid.frame_height};
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::SetCursorScreenPos(low);
  ImGui::PushID(strip);
  ImGui::PushID(items);
  const TabStop stop(strip == 0 && items == app.view.focused_items);
  if (ImGui::InvisibleButton(kFrameButton, {grid.frame_width, grid.frame_height}, kFocusable)) {
    focus_items(app, state, items);
  }
  const bool hovered = ImGui::IsItemHovered(ImGuiHoveredFlags_NoNavOverride);  // by the pointer
  ImGui::PopID();
  ImGui::PopID();
  choose_cell_by_keys(app, state, {strip, sizes, index, map.rows, map.columns});
  if (map.rows == 0) {
    list->AddRectFilled(low, high, packed(state.painter.palette->raised));
    return;
  }
  // Maps of an older step stay as they are, and the panel says so.
  const AttentionTransform* transform = transform_in_view(state, static_cast<std::size_t>(strip));
  const bool old = transform != nullptr && outdated(app, *transform);
  draw_image(frames_in_view(state), strip, index, map.columns, low, high, old ? stale_alpha : 1);
  draw_fading_start(state, grid, strip, index, low, high);
  if (!hovered) return;
  take_pointer(app, items, map.rows, map.columns, low, high);
  state.pointed = {.items = items, .set = app.pointer.set};
}

void draw_cell_outline(const AppState& app, const Painter& painter, const HeatmapLayout& grid,
                       int columns) {
  const int index = size_index(app.pointer.items);
  if (index < 0 || columns == 0) return;
  const float cell_width = grid.frame_width / static_cast<float>(columns);
  const float cell_height = grid.frame_height / kFrameSets;
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (int strip = 0; strip < grid.strips; ++strip) {
    const ImVec2 corner = grid.corner(strip, static_cast<float>(index));
    const ImVec2 low = {corner.x + cell_width * static_cast<float>(app.pointer.column),
                        corner.y + cell_height * static_cast<float>(app.pointer.set)};
    list->AddRect({low.x - 1, low.y - 1}, {low.x + cell_width + 1, low.y + cell_height + 1},
                  IM_COL32_WHITE, 0, std::max(1.0F, painter.scale));
  }
}

// The size and the set that are pointed at in another view.
void draw_mark(const PanelState& state, const HeatmapLayout& grid) {
  const int index = size_index(state.marked.items);
  if (index < 0 || index >= grid.frames) return;
  const Painter& painter = state.painter;
  const ImU32 value = packed(painter.palette->text);
  const float line = std::max(1.0F, std::floor(painter.scale));
  const float row = grid.frame_height / kFrameSets;
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (int strip = 0; strip < grid.strips; ++strip) {
    const ImVec2 low = grid.corner(strip, static_cast<float>(index));
    const float right = low.x + grid.frame_width;
    list->AddRect({low.x - line, low.y - line}, {right + line, low.y + grid.frame_height + line},
                  value, 0, line);
    if (state.marked.set < 0) continue;
    const float y = low.y + row * static_cast<float>(state.marked.set);
    list->AddRect({low.x - line, y - line}, {right + line, y + row + line}, value, 0, line);
  }
}

void draw_focus(const AppState& app, const PanelState& state, const HeatmapLayout& grid) {
  const Painter& painter = state.painter;
  const int to = size_index(app.view.focused_items);
  if (to < 0) return;
  const double share = motion_share(state);
  const int from = share < 1 ? size_index(state.motion.from) : to;
  const float frame =
      static_cast<float>(from) + static_cast<float>(to - from) * static_cast<float>(share);
  const float line = std::max(1.5F, 2 * painter.scale);
  for (int strip = 0; strip < grid.strips; ++strip) {
    const ImVec2 low = grid.corner(strip, frame);
    const HeatmapStrip& figure = grid_in_view(state).strips[static_cast<std::size_t>(strip)];
    const Colour value = role_colour(*painter.palette, figure.role);
    ImGui::GetWindowDrawList()->AddRect(
        {low.x - line, low.y - line},
        {low.x + grid.frame_width + line, low.y + grid.frame_height + line}, packed(value),
        painter.px(2), line);
  }
}

// The alpha of frames that are older than the settings: faded, but only after a moment. Where they
// are presented, words say so (presentation_panel.cpp).
float stale_alpha(const AppState& app, PanelState& state) {
  if (!app.stale() || state.painter.presents) {
    state.stale_since = -1;
    return 1;
  }
  Painter& painter = state.painter;
  if (state.stale_since < 0) state.stale_since = painter.now;
  painter.animate(kStalePatience + 0.02);
  return painter.now - state.stale_since > kStalePatience ? kStaleAlpha : 1;
}

// The cell under the pointer or the keyboard. Where the keys have chosen it, no tooltip covers it:
// the panel beside names it.
void draw_pointed_cell(const AppState& app, const PanelState& state, const HeatmapLayout& grid) {
  const int index = size_index(app.pointer.items);
  if (index < 0 || index >= grid.frames) return;
  const HeatmapStrip& strip = grid_in_view(state).strips.front();
  draw_cell_outline(app, state.painter, grid,
                    strip.frames[static_cast<std::size_t>(index)].columns);
  if (ImGui::IsWindowHovered()) draw_pointer_tooltip(app, state.painter);
}

// Returns the y below the last strip.
float draw_frames(AppState& app, PanelState& state, ImVec2 corner, ImVec2 room) {
  const std::vector<int>& sizes = app.snapshot->sizes;
  const int strips = static_cast<int>(grid_in_view(state).strips.size());
  const HeatmapLayout grid =
      place_grid(state.painter, corner, room, strips, static_cast<int>(sizes.size()));
  const float alpha = stale_alpha(app, state);
  draw_heatmap_labels(app, state, grid, sizes);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  app.pointer.items = 0;
  list->AddCallback(platform.DrawCallback_SetSamplerNearest, nullptr);
  for (int strip = 0; strip < strips; ++strip) {
    for (int frame = 0; frame < grid.frames; ++frame) {
      draw_frame(app, state, grid, strip, frame, sizes, alpha);
    }
  }
  list->AddCallback(platform.DrawCallback_SetSamplerLinear, nullptr);
  draw_focus(app, state, grid);
  draw_mark(state, grid);
  draw_pointed_cell(app, state, grid);
  return grid.corner(strips - 1, 0).y + grid.frame_height + state.painter.px(kCaption);
}

// Empty frames, until the first snapshot has come.
void draw_waiting(const Painter& painter, ImVec2 corner, ImVec2 room) {
  const std::vector<int> sizes = doubling_sizes();
  const HeatmapLayout grid = place_grid(painter, corner, room, 2, static_cast<int>(sizes.size()));
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (int strip = 0; strip < grid.strips; ++strip) {
    for (int frame = 0; frame < grid.frames; ++frame) {
      const ImVec2 low = grid.corner(strip, static_cast<float>(frame));
      list->AddRectFilled(low, {low.x + grid.frame_width, low.y + grid.frame_height},
                          packed(painter.palette->raised));
    }
  }
  draw_empty(painter, {grid.start.x, grid.start.y + grid.frame_height},
             {corner.x + room.x, grid.corner(1, 0).y}, "The first picture is being computed …");
}

// The frames, which scroll where the room is too low for them; `with_bar`: with the colour bar
// below.
void draw_strips(AppState& app, PanelState& state, ImVec2 room, bool with_bar) {
  const Painter& painter = state.painter;
  const HeatmapGrid& figure = grid_in_view(state);
  const float bar = with_bar ? painter.px(kBarBelow) : 0;
  const float least = least_height(painter, room.x, static_cast<int>(figure.strips.size())) + bar;
  ImGui::BeginChild("strips", room, kTabbedThrough,
                    room.y < least
                        ? ImGuiWindowFlags_None
                        : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const ImVec2 whole = {ImGui::GetContentRegionAvail().x, std::max(room.y, least)};
  const float end = draw_frames(app, state, start, {whole.x, whole.y - bar});
  if (with_bar)
    draw_colour_bar(app, state.painter, figure, {start.x, end + painter.px(6)},
                    std::min(whole.x, painter.px(360)));
  ImGui::SetCursorScreenPos({start.x, start.y + whole.y - 1});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
}

}  // namespace

void draw_heatmap_panel(AppState& app, PanelState& state, ImVec2 size) {
  Painter& painter = state.painter;
  const HeatmapGrid& figure = grid_in_view(state);
  const bool computed = app.snapshot && !figure.strips.empty();
  const float colour_bar = colour_bar_width(painter, figure.title, size.x);
  const bool bar = computed && colour_bar > 0;
  const std::string age = maps_age_text(app);
  const float sign = table_switch_width(painter);
  begin_panel(painter, "heatmaps", size, figure.title, age.empty() ? figure.subtitle : age,
              sign + (bar ? colour_bar + painter.px(14) : 0));
  const std::string key = panel_key("heatmaps", figure.title);
  const bool table = table_switch(state, key);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (!computed) {
    draw_waiting(painter, corner, room);
  } else if (table) {
    app.pointer.items = 0;
    draw_data_table(state, key, app.comparison ? compared_maps_source(app) : table_source(figure));
  } else {
    if (bar) {
      draw_colour_bar(app, painter, figure,
                      {corner.x + room.x - sign - colour_bar, corner.y - painter.px(24)},
                      colour_bar);
    }
    ImGui::SetCursorScreenPos(corner);
    draw_strips(app, state, room, !bar);
  }
  end_panel();
}

float heatmap_panel_height(const PanelState& state, float width, float wanted) {
  const Painter& painter = state.painter;
  const int strips = std::max(1, static_cast<int>(grid_in_view(state).strips.size()));
  const bool beside = colour_bar_width(painter, grid_in_view(state).title, width) > 0;
  const float border = painter.px(46 + (beside ? 0 : kBarBelow));  // title and margins
  const HeatmapLayout layout = place_grid(painter, {0, 0}, {width, wanted - border}, strips, 1);
  const float used = layout.corner(strips - 1, 0).y + layout.frame_height + painter.px(kCaption);
  return std::min(wanted, border + used);
}

}  // namespace dispersion
