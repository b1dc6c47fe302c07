#include "app/panels/figure_panels.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "app/export/surface_layout.h"
#include "app/panels/data_table_panel.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/panel_frame.h"
#include "app/panels/plot_interaction.h"
#include "app/panels/plot_values.h"
#include "app/panels/value_tooltip.h"
#include "app/panels/window_canvas.h"
#include "core/figure/axis.h"
#include "core/figure/field_image.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr double kRadiansPerPixel = 0.008;
constexpr double kRadiansPerKey = 0.1;
constexpr float kLeastWidth = 80;
constexpr float kLeastHeight = 60;
// In a smaller panel the axes have no names.
constexpr float kNamedWidth = 240;
constexpr float kNamedHeight = 140;
constexpr int kFigures = 6;

// Begins the panel of a field. `named`: the name of the values stands at the right end of the title
// row, if there is room. Returns whether the panel shows the numbers as a table.
bool begin_field_panel(PanelState& state, const char* id, const FieldPlot& plot, ImVec2 size,
                       bool named) {
  Painter& painter = state.painter;
  const float sign = table_switch_width(painter);
  const std::string title = plot.title.empty() ? id : plot.title.text();
  const std::string label = scale_label(plot);
  const float label_width = measure(painter, TextStyle::kSmall, label).x + painter.px(14);
  const float room = size.x - painter.px(28) - sign - measure(painter, TextStyle::kTitle, title).x -
                     painter.px(14);
  named = named && label_width < 0.9F * room;
  const float kept = named ? label_width : 0;
  begin_panel(painter, id, size, title, subtitle_that_fits(painter, plot.subtitle, room - kept),
              kept + sign);
  const bool table = table_switch(state, panel_key(id, plot.title));
  if (!named || table) return table;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  draw_text(painter, ImGui::GetWindowDrawList(),
            {start.x + ImGui::GetContentRegionAvail().x - sign - label_width + painter.px(14),
             start.y - painter.px(24)},
            TextStyle::kSmall, painter.palette->muted, label);
  return false;
}

// The numbers of the field, whatever part of it is zoomed to.
void draw_numbers(PanelState& state, const char* id, const FieldPlot& plot) {
  draw_data_table(state, panel_key(id, plot.title), table_source(plot));
}

// The room in the panel, in logical pixels. If it is too small, or the field has no samples, says
// so in the panel and returns nothing.
std::optional<Rect> room_for(const Painter& painter, const FieldPlot& plot) {
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool samples = !plot.x_value.empty() && !plot.y_value.empty() &&
                       plot.values.size() == plot.x_value.size() * plot.y_value.size();
  if (samples && room.x >= painter.px(kLeastWidth) && room.y >= painter.px(kLeastHeight))
    return logical(painter, low, room);
  draw_empty(painter, low, {low.x + room.x, low.y + room.y}, "Nothing to draw here");
  return std::nullopt;
}

// The sample under the pointer, as an index of the field's values.
std::optional<std::size_t> pointed_sample(const FieldPlot& plot, const Rect& inside, Point at) {
  const int column = nearest_sample(plot.x, plot.x_value, (at.x - inside.x) / inside.width);
  const int row = nearest_sample(plot.y, plot.y_value, (inside.bottom() - at.y) / inside.height);
  if (column < 0 || row < 0) return std::nullopt;
  return static_cast<std::size_t>(row) * plot.x_value.size() + static_cast<std::size_t>(column);
}

// The values of a sample in a tooltip beside this point.
void draw_sample_tooltip(const Painter& painter, const FieldPlot& plot, std::size_t sample,
                         Point at) {
  const float value = plot.values[sample];
  const std::string text =
      std::isfinite(value) ? significant_text(static_cast<double>(value), kFigures) : "not known";
  const std::size_t columns = plot.x_value.size();
  const TooltipLine lines[] = {{axis_value_text(plot.x, plot.x_value[sample % columns])},
                               {axis_value_text(plot.y, plot.y_value[sample / columns])},
                               {plot.value_label + ": " + text}};
  draw_value_tooltip(painter, at, lines);
}

// The number of items of a sample of a field that has an axis of them.
std::optional<double> items_of(const FieldPlot& plot, std::size_t sample) {
  const std::size_t columns = plot.x_value.size();
  if (counts_items(plot.x)) return plot.x_value[sample % columns];
  if (counts_items(plot.y)) return plot.y_value[sample / columns];
  return std::nullopt;
}

// What the mouse does on a surface: a drag turns it, as do the arrow keys while it has the focus; a
// double click turns it back.
struct SurfacePointer {
  bool hovered = false;
  bool clicked = false;  // pressed and released without having moved
};
SurfacePointer turn(const Painter& painter, SurfaceView& view, ImVec2 size) {
  SurfacePointer pointer;
  pointer.clicked = ImGui::InvisibleButton("turn", size, kFocusable) &&
                    ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
                    ImGui::GetMouseDragDelta(ImGuiMouseButton_Left).x == 0 &&
                    ImGui::GetMouseDragDelta(ImGuiMouseButton_Left).y == 0;
  const ArrowStep keys = arrows_both_ways();
  view.azimuth += kRadiansPerKey * keys.x;
  view.elevation = std::clamp(view.elevation + kRadiansPerKey * keys.y, 0.0, 1.5);
  pointer.hovered = ImGui::IsItemHovered() && !ImGui::IsItemActive();
  if (ImGui::IsItemActive()) {
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    const double step = kRadiansPerPixel / painter.scale;
    view.azimuth += step * moved.x;
    view.elevation = std::clamp(view.elevation + step * moved.y, 0.0, 1.5);
  }
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
    view = SurfaceView();
  return pointer;
}

// Marks the sample that is seen under the pointer and tells its values. Returns it.
std::optional<std::size_t> point_at_surface(const Painter& painter, const FieldPlot& plot,
                                            const PaintedSurface& painted) {
  const auto scale = static_cast<double>(painter.scale);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto& [surface, layout] = painted;
  if (!(layout.unit > 0)) return std::nullopt;
  const SurfacePoint at = {(mouse.x / scale - layout.origin.x) / layout.unit,
                           (mouse.y / scale - layout.origin.y) / layout.unit};
  const std::optional<SurfaceSample> sample = sample_at(surface, at);
  if (!sample) return std::nullopt;
  const Point place = layout.place(sample->at);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 centre = window_place(painter, place);
  list->AddCircleFilled(centre, painter.px(4), packed(painter.palette->panel));
  list->AddCircle(centre, painter.px(4), packed(painter.palette->text), 0, 1.5F * painter.scale);
  draw_sample_tooltip(painter, plot, sample->index, place);
  return sample->index;
}

}  // namespace

std::optional<double> draw_field_panel(PanelState& state, const char* id, const FieldPlot& plot,
                                       FigureZoom& zoom, float alpha, bool scrolls, ImVec2 size) {
  Painter& painter = state.painter;
  std::optional<double> clicked;
  if (begin_field_panel(state, id, plot, size, true)) {
    draw_numbers(state, id, plot);
  } else if (const std::optional<Rect> area = room_for(painter, plot)) {
    const FieldPlot shown = zoomed(plot, zoom);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const bool named = room.x >= painter.px(kNamedWidth) && room.y >= painter.px(kNamedHeight);
    const DrawOptions draw_options = window_look(painter, named);
    WindowCanvas canvas(painter, state.textures, alpha);
    const std::string item = "axes " + std::string(id);
    const PlotFrame frame =
        steady_frame(state, item.c_str(), fitted_frame(canvas, shown, *area, draw_options));
    const ShownAxes axes = {plot.title, plot.x, plot.y, shown.x, shown.y, frame};
    const PlotPointer pointer = move_axes(state, zoom, axes, *area, item.c_str(), scrolls);
    paint_map(canvas, shown, axes.frame, draw_options);
    paint_pointer(canvas, axes, pointer, draw_options);
    explain_axis(painter, axes, pointer);
    const auto sample = pointed_sample(shown, axes.frame.inside, pointer.at);
    if (pointer.hovered && sample) draw_sample_tooltip(painter, shown, *sample, pointer.at);
    if (pointer.clicked && sample) clicked = items_of(shown, *sample);
  }
  end_panel();
  return clicked;
}

std::optional<double> draw_surface_panel(PanelState& state, const char* id, const FieldPlot& plot,
                                         FigureZoom& zoom, float alpha, ImVec2 size) {
  Painter& painter = state.painter;
  std::optional<double> clicked;
  // The vertical axis has the name.
  if (begin_field_panel(state, id, plot, size, false)) {
    draw_numbers(state, id, plot);
  } else if (const std::optional<Rect> area = room_for(painter, plot)) {
    const SurfacePointer pointer = turn(painter, zoom.seen_from, ImGui::GetContentRegionAvail());
    DrawOptions draw_options = window_look(painter, true);
    draw_options.view = zoom.seen_from;
    WindowCanvas canvas(painter, state.textures, alpha);
    const FieldPlot shown = zoomed(plot, zoom);
    const PaintedSurface painted = paint_surface(canvas, shown, *area, draw_options);
    if (pointer.hovered || pointer.clicked) {
      const auto sample = point_at_surface(painter, shown, painted);
      if (pointer.clicked && sample) clicked = items_of(shown, *sample);
    }
  }
  end_panel();
  return clicked;
}

}  // namespace dispersion
