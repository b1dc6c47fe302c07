#include "app/panels/panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/actions.h"
#include "app/panels/compared_figures.h"
#include "app/panels/data_table_panel.h"
#include "app/panels/heatmap_keys.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/menu.h"
#include "app/panels/panel_frame.h"
#include "app/panels/widgets.h"
#include "app/session/frame_at.h"
#include "app/window/theme.h"
#include "core/experiment/dispersion.h"
#include "core/experiment/size_table.h"
#include "core/figure/field_image.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

struct ScaleName {
  const char* of_bar;
  const char* in_menu;
};
// In the order of ColourScale.
constexpr std::array<ScaleName, 3> kScales = {{{"weight  ▾", "linear"},
                                               {"weight, √ scale  ▾", "square root"},
                                               {"weight, log scale  ▾", "logarithmic"}}};

// The name of the colour scale, which opens a menu of all.
void draw_scale_choice(AppState& app, Painter& painter, ImVec2 at, float width) {
  const char* name = kScales[static_cast<std::size_t>(app.view.colour_scale)].of_bar;
  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton("colour scale", {width, painter.px(20)}, kFocusable))
    ImGui::OpenPopup("colour scales");
  const bool lit = ImGui::IsItemHovered();
  help_tooltip(painter,
               "How a weight becomes a colour. Square root shows small weights without hiding "
               "large ones.");
  draw_text(painter, ImGui::GetWindowDrawList(), at, TextStyle::kSmall,
            lit ? painter.palette->text : painter.palette->muted, name);
  if (!begin_menu(painter, "colour scales", {at.x, at.y + painter.px(22)})) return;
  for (std::size_t i = 0; i < kScales.size(); ++i) {
    const auto scale = static_cast<ColourScale>(i);
    const std::string text = kScales[i].in_menu;
    if (menu_line(painter, {"###scale " + text, text, "", app.view.colour_scale == scale}))
      app.view.colour_scale = scale;
  }
  end_menu();
}

// A thin horizontal bar with the colours of the grid, its range, and the name of its scale.
// `position` is its upper left corner, `width` includes the name.
void draw_colour_bar(AppState& app, Painter& painter, const HeatmapGrid& grid, ImVec2 position,
                     float width) {
  const Palette& p = *painter.palette;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const char* name = kScales[static_cast<std::size_t>(app.view.colour_scale)].of_bar;
  const float name_width = measure(painter, TextStyle::kSmall, name).x;
  draw_scale_choice(app, painter, {position.x, position.y - painter.px(3)}, name_width);
  const float left = position.x + name_width + painter.px(12);
  const float right = position.x + width - painter.px(4);
  const float height = painter.px(8);
  constexpr int kSlices = 64;
  const float slice = (right - left) / kSlices;
  for (int i = 0; i < kSlices; ++i) {
    const float x = left + slice * static_cast<float>(i);
    list->AddRectFilled({x, position.y}, {x + slice + 0.5F, position.y + height},
                        packed(viridis((i + 0.5) / kSlices)));
  }
  float free_from = left - painter.px(20);  // labels that would touch the one before are left out
  for (const Tick& mark : bar_ticks(grid)) {
    const float share =
        static_cast<float>(colour_position(grid.scale, mark.value, grid.low, grid.high));
    const float text_width = measure(painter, TextStyle::kSmall, mark.label).x;
    const float x = left + (right - left) * share - text_width / 2;
    if (x < free_from) continue;
    draw_text(painter, list, {x, position.y + height}, TextStyle::kSmall, p.muted, mark.label);
    free_from = x + text_width + painter.px(6);
  }
}

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

// The room that frames of a height that can be read need; a lower panel scrolls.
float least_height(const Painter& painter, float width, int strips) {
  const float names = width > painter.px(560) ? 0 : 18;
  return painter.px(20 + static_cast<float>(strips) * (56 + 21 + 4 + names));
}

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

void draw_captions(const PanelState& state, const HeatmapLayout& grid, int strip) {
  const Painter& painter = state.painter;
  const HeatmapStrip& figure = grid_in_view(state).strips[static_cast<std::size_t>(strip)];
  for (int frame = 0; frame < grid.frames; ++frame) {
    const ImVec2 low = grid.corner(strip, static_cast<float>(frame));
    const std::string caption =
        fitted(painter, TextStyle::kSmall, figure.frames[static_cast<std::size_t>(frame)].caption,
               grid.frame_width + grid.gap);
    draw_text(painter, ImGui::GetWindowDrawList(),
              {low.x, low.y + grid.frame_height + painter.px(4)}, TextStyle::kSmall,
              role_colour(*painter.palette, figure.role), caption);
  }
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

void draw_size_names(const AppState& app, const Painter& painter, const HeatmapLayout& grid,
                     const std::vector<int>& sizes) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float y = grid.start.y - painter.px(20);
  for (int i = 0; i < grid.frames; ++i) {
    const int items = sizes[static_cast<std::size_t>(i)];
    const bool focused = items == app.view.focused_items;
    const std::string name = grouped_text(items);
    if (!focused && measure(painter, TextStyle::kSmall, name).x > grid.frame_width + grid.gap)
      continue;
    const float x = grid.corner(0, static_cast<float>(i)).x;
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

constexpr const char* kMeanOfMaps = "mean of 32 sets";
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
    // The mean of the sets that are drawn; the column beside has that of all.
    const float below = y + grid.frame_height + painter.px(4);
    const bool two_lines = grid.frame_height >= painter.px(60);
    draw_text(painter, list, {left, below - (two_lines ? painter.px(15) : 0)}, TextStyle::kSmall,
              p.muted, "weight on max");
    if (two_lines) draw_text(painter, list, {left, below}, TextStyle::kSmall, p.muted, kMeanOfMaps);
  }
}

// Without room for names beside the strips, they stand above them, the first above the sizes. There
// the numbers below the frames are named, too.
void draw_names_above(const PanelState& state, const HeatmapLayout& grid) {
  const Painter& painter = state.painter;
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (int strip = 0; strip < grid.strips; ++strip) {
    const HeatmapStrip& figure = grid_in_view(state).strips[static_cast<std::size_t>(strip)];
    const ImVec2 corner = grid.corner(strip, 0);
    const float y = corner.y - grid.name_line - (strip == 0 ? painter.px(20) : 0);
    const float width = draw_text(painter, list, {corner.x, y}, TextStyle::kSection,
                                  role_colour(*painter.palette, figure.role), figure.title);
    draw_text(painter, list, {corner.x + width + painter.px(10), y + painter.px(1)},
              TextStyle::kSmall, painter.palette->muted, figure.subtitle);
  }
  const std::string caption = "below each: weight on max, " + std::string(kMeanOfMaps);
  const float right = grid.corner(0, static_cast<float>(grid.frames)).x - grid.gap;
  draw_text(painter, list,
            {right - measure(painter, TextStyle::kSmall, caption).x,
             grid.corner(0, 0).y - grid.name_line - painter.px(19)},
            TextStyle::kSmall, painter.palette->muted, caption);
}

// The alpha of frames that are older than the settings: faded, but only after a moment.
float stale_alpha(const AppState& app, PanelState& state) {
  if (!app.stale()) {
    state.stale_since = -1;
    return 1;
  }
  Painter& painter = state.painter;
  if (state.stale_since < 0) state.stale_since = painter.now;
  painter.animate(kStalePatience + 0.02);
  return painter.now - state.stale_since > kStalePatience ? kStaleAlpha : 1;
}

void draw_frames(AppState& app, PanelState& state, ImVec2 corner, ImVec2 room) {
  const std::vector<int>& sizes = app.snapshot->sizes;
  const int strips = static_cast<int>(grid_in_view(state).strips.size());
  const HeatmapLayout grid =
      place_grid(state.painter, corner, room, strips, static_cast<int>(sizes.size()));
  const float alpha = stale_alpha(app, state);
  draw_size_names(app, state.painter, grid, sizes);
  if (grid.labels > 0) {
    draw_strip_names(state, grid, corner.x);
  } else {
    draw_names_above(state, grid);
  }
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
  for (int strip = 0; strip < strips; ++strip)
    draw_captions(state, grid, strip);
  draw_focus(app, state, grid);
  draw_mark(state, grid);
  const Heatmap* pointed = nullptr;
  const int index = size_index(app.pointer.items);
  if (index >= 0 && index < grid.frames) {
    pointed = &grid_in_view(state).strips.front().frames[static_cast<std::size_t>(index)];
  }
  if (pointed == nullptr) return;
  draw_cell_outline(app, state.painter, grid, pointed->columns);
  if (!ImGui::IsWindowHovered())
    return;  // the keys have chosen the cell; the panel beside names it
  draw_pointer_tooltip(app, state.painter);
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

// The width of the colour bar, which stands beside the title; 0 where there is no room.
float colour_bar_width(const Painter& painter, std::string_view title, float panel) {
  const float room = panel - painter.px(28 + 14) - table_switch_width(painter) -
                     measure(painter, TextStyle::kTitle, title).x;
  return room < painter.px(210) ? 0 : std::min(painter.px(270), room);
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
    draw_data_table(state, key, table_source(figure));
  } else {
    if (bar) {
      draw_colour_bar(app, painter, figure,
                      {corner.x + room.x - sign - colour_bar, corner.y - painter.px(24)},
                      colour_bar);
    }
    const float least = least_height(painter, room.x, static_cast<int>(figure.strips.size()));
    const bool scrolls = room.y < least;
    ImGui::SetCursorScreenPos(corner);
    ImGui::BeginChild("strips", room, kTabbedThrough,
                      scrolls ? ImGuiWindowFlags_None
                              : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const ImVec2 whole = {ImGui::GetContentRegionAvail().x, std::max(room.y, least)};
    draw_frames(app, state, start, whole);
    ImGui::SetCursorScreenPos({start.x, start.y + whole.y - 1});
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
  }
  end_panel();
}

float heatmap_panel_height(const PanelState& state, float width, float wanted) {
  const Painter& painter = state.painter;
  const int strips = std::max(1, static_cast<int>(grid_in_view(state).strips.size()));
  const float border = painter.px(46);  // title and margins
  const HeatmapLayout layout = place_grid(painter, {0, 0}, {width, wanted - border}, strips, 1);
  const float used = layout.corner(strips - 1, 0).y + layout.frame_height + painter.px(21);
  return std::min(wanted, border + used);
}

}  // namespace dispersion
