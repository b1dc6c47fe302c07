#include "app/panels/plot_painter.h"

#include <implot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/window/theme.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr float kLegendLine = 22;
constexpr float kLegendGap = 14;
constexpr ImPlotFlags kPlotFlags = ImPlotFlags_NoLegend | ImPlotFlags_NoMenus |
                                   ImPlotFlags_NoBoxSelect | ImPlotFlags_NoMouseText |
                                   ImPlotFlags_NoInputs | ImPlotFlags_NoTitle;
constexpr ImPlotAxisFlags kAxisFlags = ImPlotAxisFlags_NoMenus | ImPlotAxisFlags_NoHighlight |
                                       ImPlotAxisFlags_NoLabel | ImPlotAxisFlags_NoSideSwitch;

// Every tick, every second, ... so that the labels of a horizontal axis do not run into each other.
std::size_t tick_step(const Axis& axis, float width) {
  float widest = 0;
  for (const Tick& tick : axis.ticks) {
    widest = std::max(widest, ImGui::CalcTextSize(tick.label.c_str()).x);
  }
  const float room = 0.86F * width;
  const float wanted = 1.25F * widest * static_cast<float>(axis.ticks.size());
  return static_cast<std::size_t>(std::max(1.0F, std::ceil(wanted / std::max(room, 1.0F))));
}

bool finite(const Series& series, std::size_t i) {
  return std::isfinite(series.x[i]) && std::isfinite(series.y[i]);
}

void draw_intervals(const Painter& painter, const Series& series, std::span<const double> outdated,
                    Colour value) {
  if (series.low.size() != series.x.size() || series.high.size() != series.x.size()) return;
  ImDrawList* list = ImPlot::GetPlotDrawList();
  const float half = painter.px(3);
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (!finite(series, i) || !std::isfinite(series.low[i]) || !std::isfinite(series.high[i]))
      continue;
    if (std::ranges::find(outdated, series.x[i]) != outdated.end()) continue;
    const ImVec2 low = ImPlot::PlotToPixels(series.x[i], series.low[i]);
    const ImVec2 high = ImPlot::PlotToPixels(series.x[i], series.high[i]);
    const ImU32 ink = packed(value, 0.6F);
    list->AddLine(low, high, ink, painter.scale);
    list->AddLine({low.x - half, low.y}, {low.x + half, low.y}, ink, painter.scale);
    list->AddLine({high.x - half, high.y}, {high.x + half, high.y}, ink, painter.scale);
  }
}

struct Points {
  std::vector<double> x;
  std::vector<double> y;
};

// Round at any scale, and whole where they lie on the plot's edge; what is not current is hollow.
void draw_points(const Painter& painter, const Points& points, bool current, Colour value) {
  const float radius = 3.25F * painter.scale;
  ImPlot::PushPlotClipRect(radius + 1);
  ImDrawList* list = ImPlot::GetPlotDrawList();
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    const ImVec2 centre = ImPlot::PlotToPixels(points.x[i], points.y[i]);
    if (current) {
      list->AddCircleFilled(centre, radius, packed(value));
    } else {
      list->AddCircle(centre, radius, packed(value, 0.5F), 0, painter.scale);
    }
  }
  ImPlot::PopPlotClipRect();
}

void draw_series(const Painter& painter, const Series& series, std::span<const double> outdated) {
  const Colour value = role_colour(*painter.palette, series.role);
  Points current;
  Points old;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (!finite(series, i)) continue;
    Points& points = std::ranges::find(outdated, series.x[i]) == outdated.end() ? current : old;
    points.x.push_back(series.x[i]);
    points.y.push_back(series.y[i]);
  }
  draw_points(painter, old, false, value);
  if (current.x.empty()) return;
  ImPlotSpec spec;
  spec.LineColor = colour(value);
  spec.LineWeight = 1.75F * painter.scale;
  ImPlot::PlotLine(series.name.c_str(), current.x.data(), current.y.data(),
                   static_cast<int>(current.x.size()), spec);
  draw_intervals(painter, series, outdated, value);
  if (series.markers) draw_points(painter, current, true, value);
}

void draw_marked(const Painter& painter, double x) {
  if (!(x > 0)) return;
  const ImPlotRect limits = ImPlot::GetPlotLimits();
  const ImVec2 top = ImPlot::PlotToPixels(x, limits.Y.Max);
  const ImVec2 bottom = ImPlot::PlotToPixels(x, limits.Y.Min);
  ImPlot::GetPlotDrawList()->AddLine(top, bottom, packed(painter.palette->muted, 0.8F),
                                     std::max(1.0F, painter.scale));
}

// Index of the point whose x is nearest to the pointer; -1: none.
int nearest_point(const LinePlot& plot) {
  if (plot.series.empty() || !ImPlot::IsPlotHovered()) return -1;
  const float mouse = ImGui::GetIO().MousePos.x;
  const Series& series = plot.series.front();
  int best = -1;
  float closest = 1e9F;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    const float distance = std::fabs(ImPlot::PlotToPixels(series.x[i], 0).x - mouse);
    if (distance < closest) {
      closest = distance;
      best = static_cast<int>(i);
    }
  }
  return best;
}

std::string point_text(const Series& series, std::size_t i) {
  std::string text = series.name + "  " + fixed_text(series.y[i], 2);
  if (i < series.low.size() && i < series.high.size()) {
    text += "  (" + fixed_text(series.low[i], 2) + " to " + fixed_text(series.high[i], 2) + ")";
  }
  return text;
}

void draw_point_tooltip(const Painter& painter, const LinePlot& plot, int index) {
  const std::size_t i = static_cast<std::size_t>(index);
  ImGui::BeginTooltip();
  ImGui::PushFont(painter.fonts.regular, kSmallSize);
  ImGui::TextUnformatted(
      ("n = " + grouped_text(static_cast<std::int64_t>(plot.series.front().x[i]))).c_str());
  for (const Series& series : plot.series) {
    if (i >= series.x.size()) continue;
    ImGui::PushStyleColor(ImGuiCol_Text, colour(role_colour(*painter.palette, series.role)));
    ImGui::TextUnformatted(point_text(series, i).c_str());
    ImGui::PopStyleColor();
  }
  ImGui::PopFont();
  ImGui::EndTooltip();
}

}  // namespace

float legend_width(const Painter& painter, const LinePlot& plot) {
  float width = 0;
  for (const Series& series : plot.series) {
    width +=
        measure(painter, TextStyle::kSmall, series.name).x + painter.px(kLegendLine + kLegendGap);
  }
  return width;
}

void draw_legend(const Painter& painter, const LinePlot& plot, ImVec2 right) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  float x = right.x - legend_width(painter, plot);
  const float y = right.y + painter.px(8);
  for (const Series& series : plot.series) {
    const Colour value = role_colour(*painter.palette, series.role);
    x += painter.px(kLegendGap);
    list->AddLine({x, y}, {x + painter.px(16), y}, packed(value), 1.75F * painter.scale);
    list->AddCircleFilled({x + painter.px(8), y}, painter.px(3), packed(value), 16);
    x += painter.px(kLegendLine);
    x += draw_text(painter, list, {x, right.y}, TextStyle::kSmall, value, series.name);
  }
}

void widen(double& low, double& high) {
  if (!std::isfinite(low)) low = 0;
  if (!std::isfinite(high)) high = low + 1;
  const double least = std::max(1e-6, 1e-9 * std::max(std::fabs(low), std::fabs(high)));
  if (high - low < least) {
    low -= least / 2;
    high += least / 2;
  }
}

void set_up_plot_axis(int index, const Axis& axis, float width) {
  double low = axis.low;
  double high = axis.high;
  widen(low, high);
  ImPlot::SetupAxis(index, nullptr, kAxisFlags);
  if (axis.logarithmic && low > 0) ImPlot::SetupAxisScale(index, ImPlotScale_Log10);
  ImPlot::SetupAxisLimits(index, low, high, ImPlotCond_Always);
  std::vector<double> values;
  std::vector<const char*> labels;
  const std::size_t every = index == ImAxis_X1 ? tick_step(axis, width) : 1;
  for (std::size_t i = 0; i < axis.ticks.size(); i += every) {
    values.push_back(axis.ticks[i].value);
    labels.push_back(axis.ticks[i].label.c_str());
  }
  if (!values.empty()) {
    ImPlot::SetupAxisTicks(index, values.data(), static_cast<int>(values.size()), labels.data());
  }
}

std::optional<double> draw_line_plot(Painter& painter, const char* id, const LinePlot& plot,
                                     double marked, std::span<const double> outdated) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (room.x < painter.px(60) || room.y < painter.px(40)) return std::nullopt;
  std::optional<double> clicked;
  ImGui::PushFont(painter.fonts.regular, kSmallSize);
  if (ImPlot::BeginPlot(id, room, kPlotFlags)) {
    set_up_plot_axis(ImAxis_X1, plot.x, room.x);
    set_up_plot_axis(ImAxis_Y1, plot.y, room.x);
    ImPlot::SetupFinish();
    draw_marked(painter, marked);
    for (const Series& series : plot.series)
      draw_series(painter, series, outdated);
    const int index = nearest_point(plot);
    if (index >= 0) {
      draw_point_tooltip(painter, plot, index);
      if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        clicked = plot.series.front().x[static_cast<std::size_t>(index)];
      }
    }
    ImPlot::EndPlot();
  }
  ImGui::PopFont();
  return clicked;
}

}  // namespace dispersion
