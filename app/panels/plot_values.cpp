#include "app/panels/plot_values.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "app/export/plot_frame.h"
#include "app/panels/value_tooltip.h"
#include "app/panels/window_canvas.h"
#include "app/window/theme.h"
#include "core/figure/axis.h"
#include "core/figure/line_spaces.h"
#include "core/figure/number_text.h"
#include "core/figure/symbols.h"

namespace dispersion {
namespace {

constexpr int kHoverDigits = 6;
constexpr float kMarkRadius = 5;
constexpr std::size_t kMostValues = 12;
constexpr double kReach = 8;      // logical pixels within which a point without a line is hit
constexpr double kSamePlace = 3;  // logical pixels within which samples of two curves share an x

// The sample that the pointer hits.
struct Hit {
  std::size_t series = 0;
  std::size_t point = 0;
  double x = 0;
};

// Whether the axis shows this value; a logarithmic one has no place for 0.
bool shows(const Axis& axis, double value) {
  return std::isfinite(value) && !(axis.logarithmic && value <= 0) && !beyond(axis, value);
}

// Whether point i of the series is visible.
bool point_visible(const LinePlot& plot, const Series& series, std::size_t i) {
  return !series.hidden && i < series.y.size() && shows(plot.x, series.x[i]) &&
         shows(plot.y, series.y[i]);
}

// The sample nearest to the pointer. Only x counts for curves; points without a line must be within
// reach of the pointer, and then come before curves.
std::optional<Hit> nearest(const LinePlot& plot, const Scales& scales, Point mouse) {
  std::optional<Hit> best;
  double closest = 1e9;
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    const Series& series = plot.series[s];
    const bool no_line = series.line == LineStyle::kNone;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!point_visible(plot, series, i)) continue;
      const Point at = {scales.x(series.x[i]), scales.y(series.y[i])};
      double distance = std::fabs(at.x - mouse.x);
      if (no_line) {
        distance = std::hypot(at.x - mouse.x, at.y - mouse.y);
        if (distance > kReach) continue;
        distance = 0;  // comes before any curve
      }
      if (distance >= closest) continue;
      closest = distance;
      best = Hit{s, i, series.x[i]};
    }
  }
  return best;
}

// The index of the curve's sample at this x; -1: it has none there.
int sample_at(const LinePlot& plot, const Series& series, const Scales& scales, double x) {
  int best = -1;
  double closest = kSamePlace;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (!point_visible(plot, series, i)) continue;
    const double distance = std::fabs(scales.x(series.x[i]) - scales.x(x));
    if (distance > closest || (best >= 0 && distance >= closest)) continue;
    closest = distance;
    best = static_cast<int>(i);
  }
  return best;
}

// Lines break behind the name and before a range only.
std::string point_text(const LinePlot& plot, const Series& series, std::size_t i) {
  const std::string unit = unit_of(plot.y.label);
  const std::string end = unit.empty() ? "" : " " + unit;
  const std::string name = series.name.empty() ? plot.y.label : series.name;
  std::string text = name + "  " + in_one_line(significant_text(series.y[i], kHoverDigits) + end);
  // A range of one value says nothing; nor does one that is unknown.
  if (i < series.low.size() && i < series.high.size() && series.low[i] < series.high[i]) {
    text += "  " + in_one_line("(" + significant_text(series.low[i], kHoverDigits) + " to " +
                               significant_text(series.high[i], kHoverDigits) + end + ")");
  }
  return text;
}

// A ring around a sample that the tooltip describes.
void mark_sample(const Painter& painter, Point at, Colour value) {
  ImGui::GetWindowDrawList()->AddCircle(window_place(painter, at), painter.px(kMarkRadius),
                                        packed(value), 0, 1.5F * painter.scale);
}

void draw_tooltip(const Painter& painter, const LinePlot& plot, const Scales& scales,
                  const Hit& hit, Point pointer, std::span<const OldPoint> old) {
  const std::vector<Colour> colours = series_colours(*painter.palette, plot.series);
  const bool no_line = plot.series[hit.series].line == LineStyle::kNone;
  const auto found = std::ranges::find(old, hit.x, &OldPoint::x);
  const std::string age = found == old.end() ? "" : ", " + found->age;
  std::vector<TooltipLine> lines = {{axis_value_text(plot.x, hit.x) + age}};
  for (std::size_t s = 0; s < plot.series.size() && lines.size() <= kMostValues; ++s) {
    const Series& series = plot.series[s];
    if (no_line ? s != hit.series : series.line == LineStyle::kNone) continue;
    const int i = no_line ? static_cast<int>(hit.point) : sample_at(plot, series, scales, hit.x);
    if (i < 0) continue;
    const auto at = static_cast<std::size_t>(i);
    mark_sample(painter, {scales.x(series.x[at]), scales.y(series.y[at])}, colours[s]);
    lines.push_back({point_text(plot, series, at), colours[s]});
  }
  draw_value_tooltip(painter, {scales.x(hit.x), pointer.y}, lines);
}

}  // namespace

std::optional<double> hover_plot(const Painter& painter, const LinePlot& plot, const Rect& inside,
                                 const PlotPointer& pointer, std::span<const OldPoint> old) {
  if (!pointer.hovered && !pointer.clicked) return std::nullopt;
  const Scales scales(plot.x, plot.y, inside);
  const std::optional<Hit> hit = nearest(plot, scales, pointer.at);
  if (!hit) return std::nullopt;
  if (pointer.clicked) return hit->x;
  draw_tooltip(painter, plot, scales, *hit, pointer.at, old);
  return std::nullopt;
}

void explain_axis(const Painter& painter, const ShownAxes& axes, const PlotPointer& pointer) {
  if (!pointer.on_x_labels && !pointer.on_y_labels) return;
  const std::string& label = pointer.on_x_labels ? axes.x.label : axes.y.label;
  if (label.empty()) return;
  std::vector<TooltipLine> lines = {{label}};
  const std::string symbols = symbols_text(label);
  if (!symbols.empty()) lines.push_back({symbols});
  draw_value_tooltip(painter, pointer.at, lines);
}

std::string unit_of(std::string_view label) {
  const std::size_t open = label.rfind(" (");
  if (open == std::string_view::npos || !label.ends_with(')')) return "";
  return std::string(label.substr(open + 2, label.size() - open - 3));
}

std::string axis_value_text(const Axis& axis, double value) {
  const bool whole = std::fabs(value) < 1e9 && value == std::floor(value);
  const std::string number = whole ? grouped_text(static_cast<std::int64_t>(value))
                                   : significant_text(value, kHoverDigits);
  // A label such as "number of items n" ends with the symbol of the quantity.
  const std::size_t space = axis.label.rfind(' ');
  const std::string last = axis.label.substr(space == std::string::npos ? 0 : space + 1);
  if (!last.empty() && last.size() <= 2 && last.back() != ')') return last + " = " + number;
  return axis.label.empty() ? number : axis.label + ": " + number;
}

}  // namespace dispersion
