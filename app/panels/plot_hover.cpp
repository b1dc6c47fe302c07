#include "app/panels/plot_hover.h"

#include <implot.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/plot_painter.h"
#include "app/window/theme.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr int kFigures = 4;
constexpr std::size_t kMostLines = 12;

struct Hit {
  std::size_t series = 0;
  std::size_t point = 0;
  double x = 0;
};

bool usable(const Series& series, std::size_t i) {
  return i < series.y.size() && std::isfinite(series.x[i]) && std::isfinite(series.y[i]);
}

// The sample nearest to the pointer: along x for curves, in the plane for loose points.
std::optional<Hit> nearest(const Painter& painter, const LinePlot& plot) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  std::optional<Hit> best;
  float closest = 1e9F;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const Series& series = plot.series[s];
    const bool loose = series.line == LineStyle::kNone;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!usable(series, i)) continue;
      const ImVec2 at = ImPlot::PlotToPixels(series.x[i], series.y[i]);
      float distance = std::fabs(at.x - mouse.x);
      if (loose) {
        distance = std::hypot(at.x - mouse.x, at.y - mouse.y);
        if (distance > 8 * painter.scale) continue;
        distance = 0;  // what is pointed at goes before what lies on the way
      }
      if (distance >= closest) continue;
      closest = distance;
      best = Hit{s, i, series.x[i]};
    }
  }
  return best;
}

// The sample of a curve at this x; -1: none there.
int sample_at(const Series& series, double x, float reach) {
  int best = -1;
  float closest = reach;
  const float wanted = ImPlot::PlotToPixels(x, 0).x;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (!usable(series, i)) continue;
    const float distance = std::fabs(ImPlot::PlotToPixels(series.x[i], 0).x - wanted);
    if (distance > closest || (best >= 0 && distance >= closest)) continue;
    closest = distance;
    best = static_cast<int>(i);
  }
  return best;
}

std::string point_text(const Series& series, std::size_t i) {
  std::string text = series.name + "  " + significant_text(series.y[i], kFigures);
  if (i < series.low.size() && i < series.high.size() && std::isfinite(series.low[i])) {
    text += "  (" + significant_text(series.low[i], kFigures) + " to " +
            significant_text(series.high[i], kFigures) + ")";
  }
  return text;
}

void draw_tooltip(const Painter& painter, const LinePlot& plot, const Hit& hit) {
  const std::vector<Colour> colours = series_colours(*painter.palette, plot.series);
  const bool loose = plot.series[hit.series].line == LineStyle::kNone;
  ImGui::BeginTooltip();
  ImGui::PushFont(painter.fonts.regular, kSmallSize);
  ImGui::TextUnformatted(axis_value_text(plot.x, hit.x).c_str());
  std::size_t lines = 0;
  for (std::size_t s = 0; s < plot.series.size() && lines < kMostLines; ++s) {
    const Series& series = plot.series[s];
    if (loose ? s != hit.series : series.line == LineStyle::kNone) continue;
    const int i = loose ? static_cast<int>(hit.point) : sample_at(series, hit.x, 3 * painter.scale);
    if (i < 0) continue;
    ImGui::PushStyleColor(ImGuiCol_Text, colour(colours[s]));
    ImGui::TextUnformatted(point_text(series, static_cast<std::size_t>(i)).c_str());
    ImGui::PopStyleColor();
    ++lines;
  }
  ImGui::PopFont();
  ImGui::EndTooltip();
}

}  // namespace

std::optional<double> hover_plot(const Painter& painter, const LinePlot& plot) {
  if (!ImPlot::IsPlotHovered()) return std::nullopt;
  const std::optional<Hit> hit = nearest(painter, plot);
  if (!hit) return std::nullopt;
  draw_tooltip(painter, plot, *hit);
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return hit->x;
  return std::nullopt;
}

}  // namespace dispersion
