#include "app/panels/field_painter.h"

#include <implot.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/field_frame.h"
#include "app/panels/panel_frame.h"
#include "app/panels/plot_marks.h"
#include "app/panels/plot_painter.h"
#include "app/window/theme.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr ImPlotFlags kFlags = ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs;
constexpr float kBarWidth = 10;
constexpr int kBarSlices = 128;

float bar_space(const Painter& painter, const FieldPlot& plot) {
  float widest = 0;
  for (const Tick& tick : scale_ticks(plot.scale, plot.low, plot.high))
    widest = std::max(widest, measure(painter, TextStyle::kSmall, tick.label).x);
  return painter.px(14 + kBarWidth + 6) + widest;
}

void draw_bar(const Painter& painter, const FieldPlot& plot, ImVec2 low, ImVec2 high) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float slice = (high.y - low.y) / kBarSlices;
  for (int i = 0; i < kBarSlices; ++i) {
    const float y = low.y + slice * static_cast<float>(i);
    list->AddRectFilled({low.x, y}, {high.x, std::min(y + slice + 1, high.y)},
                        packed(map_colour(plot.map, 1 - (i + 0.5) / kBarSlices)));
  }
  for (const Tick& tick : scale_ticks(plot.scale, plot.low, plot.high)) {
    const auto share =
        static_cast<float>(colour_position(plot.scale, tick.value, plot.low, plot.high));
    const ImVec2 text = measure(painter, TextStyle::kSmall, tick.label);
    draw_text(painter, list,
              {high.x + painter.px(6), high.y - share * (high.y - low.y) - text.y / 2},
              TextStyle::kSmall, painter.palette->muted, tick.label);
  }
}

// From shares of the axes to the window.
ImVec2 place(double x, double y) {
  const ImVec2 corner = ImPlot::GetPlotPos();
  const ImVec2 size = ImPlot::GetPlotSize();
  return {corner.x + static_cast<float>(x) * size.x, corner.y + static_cast<float>(1 - y) * size.y};
}

void draw_image(const FieldImage& image, const Texture& texture, float alpha) {
  ImPlot::PushPlotClipRect();
  ImDrawList* list = ImPlot::GetPlotDrawList();
  const ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  list->AddCallback(platform.DrawCallback_SetSamplerNearest, nullptr);
  list->AddImage(static_cast<ImTextureID>(texture.name()), place(image.left, image.top),
                 place(image.right, image.bottom), {0, 0}, {1, 1},
                 IM_COL32(255, 255, 255, static_cast<int>(255 * alpha)));
  list->AddCallback(platform.DrawCallback_SetSamplerLinear, nullptr);
  ImPlot::PopPlotClipRect();
}

// White on dark, so that it can be seen on every colour of a map.
void draw_overlay(const Painter& painter, const FieldPlot& plot) {
  ImPlot::PushPlotClipRect();
  ImDrawList* list = ImPlot::GetPlotDrawList();
  for (const Series& series : plot.overlay) {
    std::vector<ImVec2> points;
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
      const double x = axis_share(plot.x, series.x[i]);
      const double y = axis_share(plot.y, series.y[i]);
      if (std::isfinite(x) && std::isfinite(y)) points.push_back(place(x, y));
    }
    const int count = static_cast<int>(points.size());
    list->AddPolyline(points.data(), count, IM_COL32(16, 16, 16, 200), 3.4F * painter.scale);
    if (series.line == LineStyle::kDashed) {
      draw_dashes(list, points, IM_COL32_WHITE, 1.8F * painter.scale, painter.px(5));
    } else {
      list->AddPolyline(points.data(), count, IM_COL32_WHITE, 1.8F * painter.scale);
    }
    if (points.empty() || series.name.empty()) continue;
    const float width = measure(painter, TextStyle::kSmall, series.name).x;
    const ImVec2 corner = ImPlot::GetPlotPos();
    const ImVec2 size = ImPlot::GetPlotSize();
    const ImVec2 middle = points[points.size() / 2];
    const ImVec2 at = {
        std::clamp(middle.x + painter.px(6), corner.x, corner.x + size.x - width),
        std::clamp(middle.y - painter.px(18), corner.y, corner.y + size.y - painter.px(18))};
    draw_text(painter, list, {at.x + 1, at.y + 1}, TextStyle::kSmall, {16, 16, 16}, series.name);
    draw_text(painter, list, at, TextStyle::kSmall, {255, 255, 255}, series.name);
  }
  ImPlot::PopPlotClipRect();
}

void draw_value_tooltip(const Painter& painter, const FieldPlot& plot) {
  if (!ImPlot::IsPlotHovered()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const ImVec2 corner = ImPlot::GetPlotPos();
  const ImVec2 size = ImPlot::GetPlotSize();
  const int column = nearest_sample(plot.x, plot.x_value, (mouse.x - corner.x) / size.x);
  const int row = nearest_sample(plot.y, plot.y_value, 1 - (mouse.y - corner.y) / size.y);
  if (column < 0 || row < 0) return;
  const std::size_t x = static_cast<std::size_t>(column);
  const std::size_t y = static_cast<std::size_t>(row);
  const float value = plot.values[y * plot.x_value.size() + x];
  const std::string text =
      std::isfinite(value) ? significant_text(static_cast<double>(value), 5) : "not known";
  ImGui::BeginTooltip();
  ImGui::PushFont(painter.fonts.regular, kSmallSize);
  ImGui::TextUnformatted(axis_value_text(plot.x, plot.x_value[x]).c_str());
  ImGui::TextUnformatted(axis_value_text(plot.y, plot.y_value[y]).c_str());
  ImGui::TextUnformatted((plot.value_label + ": " + text).c_str());
  ImGui::PopFont();
  ImGui::EndTooltip();
}

}  // namespace

void draw_field_panel(Painter& painter, const char* id, const FieldPlot& plot,
                      const FieldImage& image, const Texture& texture, float alpha, ImVec2 size) {
  begin_field_panel(painter, id, plot, size);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float bar = bar_space(painter, plot);
  if (image.rows == 0 || texture.name() == 0) {
    draw_no_field(painter);
    end_panel();
    return;
  }
  const bool names = room.x >= painter.px(240) && room.y >= painter.px(140);
  const ImVec2 plot_size = {room.x - bar, room.y};
  ImVec2 bar_low;
  ImVec2 bar_high;
  ImGui::PushFont(painter.fonts.regular, kSmallSize);
  if (plot_size.x >= painter.px(60) && plot_size.y >= painter.px(40) &&
      ImPlot::BeginPlot(id, plot_size, kFlags)) {
    set_up_plot_axis(ImAxis_X1, plot.x, plot_size.x, names);
    set_up_plot_axis(ImAxis_Y1, plot.y, plot_size.x, names);
    ImPlot::SetupFinish();
    draw_image(image, texture, alpha);
    draw_overlay(painter, plot);
    draw_value_tooltip(painter, plot);
    bar_low = {ImPlot::GetPlotPos().x + ImPlot::GetPlotSize().x + painter.px(14),
               ImPlot::GetPlotPos().y};
    bar_high = {bar_low.x + painter.px(kBarWidth), bar_low.y + ImPlot::GetPlotSize().y};
    ImPlot::EndPlot();
  }
  ImGui::PopFont();
  if (bar_high.y > bar_low.y) draw_bar(painter, plot, bar_low, bar_high);
  end_panel();
}

}  // namespace dispersion
