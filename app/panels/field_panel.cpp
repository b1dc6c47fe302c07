#include "app/panels/figure_panels.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/data_table_panel.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/panel_frame.h"
#include "app/panels/plot_interaction.h"
#include "app/panels/window_canvas.h"
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
constexpr int kFigures = 5;

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

void draw_value_tooltip(const Painter& painter, const FieldPlot& plot, const Rect& inside,
                        const PlotPointer& pointer) {
  if (!pointer.hovered) return;
  const int column = nearest_sample(plot.x, plot.x_value, (pointer.at.x - inside.x) / inside.width);
  const int row =
      nearest_sample(plot.y, plot.y_value, (inside.bottom() - pointer.at.y) / inside.height);
  if (column < 0 || row < 0) return;
  const auto x = static_cast<std::size_t>(column);
  const auto y = static_cast<std::size_t>(row);
  const float value = plot.values[y * plot.x_value.size() + x];
  const std::string text =
      std::isfinite(value) ? significant_text(static_cast<double>(value), kFigures) : "not known";
  ImGui::BeginTooltip();
  ImGui::PushFont(painter.fonts.regular, kSmallSize);
  ImGui::TextUnformatted(axis_value_text(plot.x, plot.x_value[x]).c_str());
  ImGui::TextUnformatted(axis_value_text(plot.y, plot.y_value[y]).c_str());
  ImGui::TextUnformatted((plot.value_label + ": " + text).c_str());
  ImGui::PopFont();
  ImGui::EndTooltip();
}

// Turns the surface with the mouse, or with the arrow keys while it has the focus.
void turn(const Painter& painter, SurfaceView& view, ImVec2 size) {
  ImGui::InvisibleButton("turn", size, kFocusable);
  const ArrowStep keys = arrows_both_ways();
  view.azimuth += kRadiansPerKey * keys.x;
  view.elevation = std::clamp(view.elevation + kRadiansPerKey * keys.y, 0.0, 1.5);
  if (ImGui::IsItemActive()) {
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    const double step = kRadiansPerPixel / painter.scale;
    view.azimuth += step * moved.x;
    view.elevation = std::clamp(view.elevation + step * moved.y, 0.0, 1.5);
  }
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
    view = SurfaceView();
}

}  // namespace

void draw_field_panel(PanelState& state, const char* id, const FieldPlot& plot, FigureZoom& zoom,
                      float alpha, bool scrolls, ImVec2 size) {
  Painter& painter = state.painter;
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
    draw_value_tooltip(painter, shown, axes.frame.inside, pointer);
  }
  end_panel();
}

void draw_surface_panel(PanelState& state, const char* id, const FieldPlot& plot,
                        const FigureZoom& zoom, float alpha, ImVec2 size) {
  Painter& painter = state.painter;
  // The vertical axis has the name.
  if (begin_field_panel(state, id, plot, size, false)) {
    draw_numbers(state, id, plot);
  } else if (const std::optional<Rect> area = room_for(painter, plot)) {
    turn(painter, state.surface, ImGui::GetContentRegionAvail());
    DrawOptions draw_options = window_look(painter, true);
    draw_options.view = state.surface;
    WindowCanvas canvas(painter, state.textures, alpha);
    paint_surface(canvas, zoomed(plot, zoom), *area, draw_options);
  }
  end_panel();
}

}  // namespace dispersion
