#include "app/panels/plot_hover.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/export/plot_frame.h"
#include "app/window/theme.h"
#include "core/figure/axis.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr int kFigures = 4;
constexpr std::size_t kMostLines = 12;
constexpr double kReach = 8;      // logical pixels, to a loose point
constexpr double kSamePlace = 3;  // between samples of two curves

struct Hit {
  std::size_t series = 0;
  std::size_t point = 0;
  double x = 0;
};

// Whether there is a point that can be seen.
bool usable(const LinePlot& plot, const Series& series, std::size_t i) {
  return !series.hidden && i < series.y.size() && std::isfinite(series.x[i]) &&
         std::isfinite(series.y[i]) && !beyond(plot.x, series.x[i]) && !beyond(plot.y, series.y[i]);
}

// The sample nearest to the pointer: along x for curves, in the plane for loose points.
std::optional<Hit> nearest(const LinePlot& plot, const Scales& scales, Point mouse) {
  std::optional<Hit> best;
  double closest = 1e9;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const Series& series = plot.series[s];
    const bool loose = series.line == LineStyle::kNone;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!usable(plot, series, i)) continue;
      const Point at = {scales.x(series.x[i]), scales.y(series.y[i])};
      double distance = std::fabs(at.x - mouse.x);
      if (loose) {
        distance = std::hypot(at.x - mouse.x, at.y - mouse.y);
        if (distance > kReach) continue;
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
int sample_at(const LinePlot& plot, const Series& series, const Scales& scales, double x) {
  int best = -1;
  double closest = kSamePlace;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (!usable(plot, series, i)) continue;
    const double distance = std::fabs(scales.x(series.x[i]) - scales.x(x));
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

void draw_tooltip(const Painter& painter, const LinePlot& plot, const Scales& scales,
                  const Hit& hit) {
  const std::vector<Colour> colours = series_colours(*painter.palette, plot.series);
  const bool loose = plot.series[hit.series].line == LineStyle::kNone;
  ImGui::BeginTooltip();
  ImGui::PushFont(painter.fonts.regular, kSmallSize);
  ImGui::TextUnformatted(axis_value_text(plot.x, hit.x).c_str());
  std::size_t lines = 0;
  for (std::size_t s = 0; s < plot.series.size() && lines < kMostLines; ++s) {
    const Series& series = plot.series[s];
    if (loose ? s != hit.series : series.line == LineStyle::kNone) continue;
    const int i = loose ? static_cast<int>(hit.point) : sample_at(plot, series, scales, hit.x);
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

std::optional<double> hover_plot(const Painter& painter, const LinePlot& plot, const Rect& inside,
                                 const PlotPointer& pointer) {
  if (!pointer.hovered && !pointer.clicked) return std::nullopt;
  const Scales scales(plot.x, plot.y, inside);
  const std::optional<Hit> hit = nearest(plot, scales, pointer.at);
  if (!hit) return std::nullopt;
  if (pointer.clicked) return hit->x;
  draw_tooltip(painter, plot, scales, *hit);
  return std::nullopt;
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
