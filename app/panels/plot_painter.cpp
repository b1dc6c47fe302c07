#include "app/panels/plot_painter.h"

#include <implot.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/plot_hover.h"
#include "app/panels/plot_marks.h"
#include "app/window/theme.h"
#include "core/figure/number_text.h"
#include "core/figure/ticks.h"

namespace dispersion {
namespace {

constexpr ImPlotFlags kPlotFlags = ImPlotFlags_NoLegend | ImPlotFlags_NoMenus |
                                   ImPlotFlags_NoBoxSelect | ImPlotFlags_NoMouseText |
                                   ImPlotFlags_NoInputs | ImPlotFlags_NoTitle;
constexpr ImPlotAxisFlags kAxisFlags =
    ImPlotAxisFlags_NoMenus | ImPlotAxisFlags_NoHighlight | ImPlotAxisFlags_NoSideSwitch;

// Every tick, every second, ... so that the labels of a horizontal axis do not run into each other.
std::size_t tick_step(const Axis& axis, float width) {
  std::vector<double> widths;
  for (const Tick& tick : axis.ticks)
    widths.push_back(ImGui::CalcTextSize(tick.label.c_str()).x);
  // The labels and the name of the other axis take their part of the width.
  return label_stride(axis, widths, 0.86 * width, 0.6 * ImGui::GetFontSize());
}

}  // namespace

void widen(double& low, double& high) {
  if (!std::isfinite(low)) low = 0;
  if (!std::isfinite(high)) high = low + 1;
  const double least = std::max(1e-6, 1e-9 * std::max(std::fabs(low), std::fabs(high)));
  if (high - low < least) {
    low -= least / 2;
    high += least / 2;
  }
}

void set_up_plot_axis(int index, const Axis& axis, float width, bool named) {
  double low = axis.low;
  double high = axis.high;
  // A narrow logarithmic axis is none, and near 0 widening would leave the positive numbers.
  const bool logarithmic = axis.logarithmic && low > 0 && high > low * (1 + 1e-6);
  if (!logarithmic) widen(low, high);
  const bool label = named && !axis.label.empty();
  ImPlot::SetupAxis(index, label ? axis.label.c_str() : nullptr,
                    kAxisFlags | (label ? 0 : ImPlotAxisFlags_NoLabel));
  if (logarithmic) ImPlot::SetupAxisScale(index, ImPlotScale_Log10);
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
                                     const PlotOptions& options) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (room.x < painter.px(60) || room.y < painter.px(40)) return std::nullopt;
  // Names of axes go where there is little room for the plot itself.
  const bool names = options.axis_names && room.x >= painter.px(240) && room.y >= painter.px(140);
  std::optional<double> clicked;
  ImGui::PushFont(painter.fonts.regular, kSmallSize);
  if (ImPlot::BeginPlot(id, room, kPlotFlags)) {
    set_up_plot_axis(ImAxis_X1, plot.x, room.x, names);
    set_up_plot_axis(ImAxis_Y1, plot.y, room.x, names);
    ImPlot::SetupFinish();
    const std::vector<FigureBox> range_names = draw_ranges(painter, plot);
    draw_bars(painter, plot, options.alpha);
    draw_marked(painter, options.marked);
    const std::vector<Colour> colours = series_colours(*painter.palette, plot.series);
    for (std::size_t i = 0; i < plot.series.size(); ++i)
      draw_series(painter, plot, plot.series[i], options.outdated, colours[i], options.alpha);
    draw_reference_lines(painter, plot, range_names);
    clicked = hover_plot(painter, plot);
    ImPlot::EndPlot();
  }
  ImGui::PopFont();
  return clicked;
}

std::string axis_value_text(const Axis& axis, double value) {
  const bool whole = std::fabs(value) < 1e9 && value == std::floor(value);
  const std::string number =
      whole ? grouped_text(static_cast<std::int64_t>(value)) : significant_text(value, 4);
  // "number of items n" ends with the symbol that stands for it.
  const std::size_t space = axis.label.rfind(' ');
  const std::string last = axis.label.substr(space == std::string::npos ? 0 : space + 1);
  if (!last.empty() && last.size() <= 2 && last.back() != ')') return last + " = " + number;
  return axis.label.empty() ? number : axis.label + ": " + number;
}

}  // namespace dispersion
