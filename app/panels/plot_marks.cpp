#include "app/panels/plot_marks.h"

#include <implot.h>

#include <algorithm>
#include <cmath>

#include "app/window/theme.h"
#include "core/figure/hidden_points.h"
#include "core/figure/line_labels.h"

namespace dispersion {
namespace {

constexpr std::size_t kManyPoints = 150;    // from here on points are small and let others through
constexpr std::size_t kManyIntervals = 40;  // from here on intervals are a band
constexpr float kNameHeight = 16;           // of a reference line or a range

struct Points {
  std::vector<double> x;
  std::vector<double> y;
};

bool finite(const Series& series, std::size_t i) {
  return std::isfinite(series.x[i]) && i < series.y.size() && std::isfinite(series.y[i]);
}

bool is_outdated(std::span<const double> outdated, double x) {
  return std::ranges::find(outdated, x) != outdated.end();
}

bool has_intervals(const Series& series) {
  return !series.x.empty() && series.low.size() == series.x.size() &&
         series.high.size() == series.x.size();
}

void draw_band(const LinePlot& plot, const Series& series, Colour value, float alpha) {
  std::vector<double> x, low, high;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (!has_place(plot, series.x[i], series.low[i])) continue;
    x.push_back(series.x[i]);
    low.push_back(series.low[i]);
    high.push_back(series.high[i]);
  }
  ImPlotSpec spec;
  spec.FillColor = colour(value);
  spec.FillAlpha = 0.16F * alpha;
  ImPlot::PlotShaded("band", x.data(), low.data(), high.data(), static_cast<int>(x.size()), spec);
}

void draw_intervals(const Painter& painter, const Series& series, std::span<const double> outdated,
                    Colour value, float alpha) {
  ImDrawList* list = ImPlot::GetPlotDrawList();
  const float half = painter.px(3);
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (!finite(series, i) || !std::isfinite(series.low[i]) || !std::isfinite(series.high[i]))
      continue;
    if (is_outdated(outdated, series.x[i])) continue;
    const ImVec2 low = ImPlot::PlotToPixels(series.x[i], series.low[i]);
    const ImVec2 high = ImPlot::PlotToPixels(series.x[i], series.high[i]);
    const ImU32 ink = packed(value, 0.6F * alpha);
    list->AddLine(low, high, ink, painter.scale);
    list->AddLine({low.x - half, low.y}, {low.x + half, low.y}, ink, painter.scale);
    list->AddLine({high.x - half, high.y}, {high.x + half, high.y}, ink, painter.scale);
  }
}

// Round at any scale, and whole where they lie on the plot's edge; what is not current is hollow.
void draw_points(const Painter& painter, const Points& points, Mark mark, bool current,
                 Colour value, float alpha) {
  const bool many = points.x.size() > kManyPoints;
  const float radius = (many ? 1.6F : 3.25F) * painter.scale;
  ImPlot::PushPlotClipRect(radius + 1);
  ImDrawList* list = ImPlot::GetPlotDrawList();
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    const ImVec2 centre = ImPlot::PlotToPixels(points.x[i], points.y[i]);
    if (current && many) {
      list->AddCircleFilled(centre, radius, packed(value, 0.4F * alpha), 8);
    } else if (current) {
      draw_mark(list, mark, centre, radius, packed(value, alpha), 1.4F * painter.scale);
    } else {
      list->AddCircle(centre, radius, packed(value, 0.5F * alpha), 0, painter.scale);
    }
  }
  ImPlot::PopPlotClipRect();
}

void draw_curve(const Painter& painter, const Series& series, const Points& points, Colour value,
                float alpha) {
  if (series.line == LineStyle::kNone) return;
  std::vector<ImVec2> places;
  for (std::size_t i = 0; i < points.x.size(); ++i)
    places.push_back(ImPlot::PlotToPixels(points.x[i], points.y[i]));
  const float thickness = 1.75F * painter.scale;
  ImPlot::PushPlotClipRect(thickness);
  ImDrawList* list = ImPlot::GetPlotDrawList();
  if (series.line == LineStyle::kDashed) {
    draw_dashes(list, places, packed(value, alpha), thickness, 6 * painter.scale);
  } else {
    list->AddPolyline(places.data(), static_cast<int>(places.size()), packed(value, alpha),
                      thickness);
  }
  ImPlot::PopPlotClipRect();
}

}  // namespace

void draw_mark(ImDrawList* list, Mark mark, ImVec2 centre, float radius, ImU32 ink,
               float thickness) {
  switch (mark) {
    case Mark::kDisc:
      return list->AddCircleFilled(centre, radius, ink);
    case Mark::kRing:
      return list->AddCircle(centre, radius, ink, 0, thickness);
    case Mark::kSquare:
      return list->AddRect({centre.x - radius, centre.y - radius},
                           {centre.x + radius, centre.y + radius}, ink, 0, thickness);
    case Mark::kTriangle:
      return list->AddTriangle({centre.x, centre.y - 1.3F * radius},
                               {centre.x - 1.13F * radius, centre.y + 0.65F * radius},
                               {centre.x + 1.13F * radius, centre.y + 0.65F * radius}, ink,
                               thickness);
    case Mark::kDiamond:
      return list->AddNgon(centre, 1.4F * radius, ink, 4, thickness);
    case Mark::kCross:
      list->AddLine({centre.x - radius, centre.y - radius}, {centre.x + radius, centre.y + radius},
                    ink, thickness);
      return list->AddLine({centre.x - radius, centre.y + radius},
                           {centre.x + radius, centre.y - radius}, ink, thickness);
  }
}

void draw_dashes(ImDrawList* list, std::span<const ImVec2> points, ImU32 ink, float thickness,
                 float dash) {
  float position = 0;  // along the line, in [0, 2 dash): the first half is drawn
  for (std::size_t i = 1; i < points.size(); ++i) {
    const ImVec2 from = points[i - 1];
    const ImVec2 to = points[i];
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    // Far outside the window nothing would be seen, and it would take for ever.
    if (!(length > 0) || length > 1e5F) continue;
    float at = 0;
    while (at < length) {
      const bool drawn = position < dash;
      const float step = std::min(length - at, (drawn ? dash : 2 * dash) - position);
      const auto along = [&](float way) {
        return ImVec2{from.x + (to.x - from.x) * way / length,
                      from.y + (to.y - from.y) * way / length};
      };
      if (drawn) list->AddLine(along(at), along(at + step), ink, thickness);
      at += std::max(step, 0.01F);
      position += std::max(step, 0.01F);
      if (position >= 2 * dash) position = 0;
    }
  }
}

Colour bar_colour(const Palette& palette, const Bars& bars) {
  return mix(palette.panel, role_colour(palette, bars.role), 0.34F);
}

std::vector<FigureBox> draw_ranges(const Painter& painter, const LinePlot& plot) {
  const ImVec2 corner = ImPlot::GetPlotPos();
  const ImVec2 size = ImPlot::GetPlotSize();
  std::vector<FigureBox> names;
  ImPlot::PushPlotClipRect();
  ImDrawList* list = ImPlot::GetPlotDrawList();
  for (const ShadedRange& range : plot.ranges) {
    const float left = std::max(ImPlot::PlotToPixels(range.low, 0).x, corner.x);
    const float right = std::min(ImPlot::PlotToPixels(range.high, 0).x, corner.x + size.x);
    if (!(right > left)) continue;
    list->AddRectFilled({left, corner.y}, {right, corner.y + size.y},
                        packed(painter.palette->raised));
    // Above bars, which have air there.
    const float y =
        plot.bars.empty() ? corner.y + size.y - painter.px(20) : corner.y + painter.px(3);
    const std::string name =
        fitted(painter, TextStyle::kSmall, range.label, right - left - painter.px(8));
    draw_text(painter, list, {left + painter.px(6), y}, TextStyle::kSmall, painter.palette->muted,
              name);
    names.push_back({left + painter.px(6), y, measure(painter, TextStyle::kSmall, name).x,
                     painter.px(kNameHeight)});
  }
  ImPlot::PopPlotClipRect();
  return names;
}

void draw_bars(const Painter& painter, const LinePlot& plot, float alpha) {
  ImPlot::PushPlotClipRect();
  ImDrawList* list = ImPlot::GetPlotDrawList();
  const float bottom = ImPlot::GetPlotPos().y + ImPlot::GetPlotSize().y;
  for (const Bars& bars : plot.bars) {
    const ImU32 ink = packed(bar_colour(*painter.palette, bars), alpha);
    for (std::size_t i = 0; i < bars.height.size() && i + 1 < bars.edge.size(); ++i) {
      const ImVec2 low = ImPlot::PlotToPixels(bars.edge[i], bars.height[i]);
      const float right = ImPlot::PlotToPixels(bars.edge[i + 1], 0).x;
      if (std::isfinite(low.x + low.y + right) && low.y < bottom)
        list->AddRectFilled({std::round(low.x), low.y}, {std::round(right), bottom}, ink);
    }
  }
  ImPlot::PopPlotClipRect();
}

void draw_reference_lines(const Painter& painter, const LinePlot& plot,
                          std::span<const FigureBox> taken) {
  const ImVec2 corner = ImPlot::GetPlotPos();
  const ImVec2 size = ImPlot::GetPlotSize();
  const ImVec2 end = {corner.x + size.x, corner.y + size.y};
  const Colour muted = painter.palette->muted;
  std::vector<double> widths;
  ImPlot::PushPlotClipRect(1);
  ImDrawList* list = ImPlot::GetPlotDrawList();
  for (const ReferenceLine& line : plot.lines) {
    widths.push_back(measure(painter, TextStyle::kSmall, line.label).x);
    const ImVec2 at = ImPlot::PlotToPixels(line.value, line.value);
    const bool inside = line.vertical ? at.x >= corner.x - 1 && at.x <= end.x + 1
                                      : at.y >= corner.y - 1 && at.y <= end.y + 1;
    if (!inside) continue;
    const ImVec2 ends[2] = {line.vertical ? ImVec2{at.x, corner.y} : ImVec2{corner.x, at.y},
                            line.vertical ? ImVec2{at.x, end.y} : ImVec2{end.x, at.y}};
    draw_dashes(list, ends, packed(muted, 0.9F), std::max(1.0F, painter.scale), painter.px(4));
  }
  const std::vector<LineLabel> labels = line_labels(plot, {corner.x, corner.y, size.x, size.y},
                                                    widths, painter.px(kNameHeight), taken);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!labels[i].shown) continue;
    const FigureBox& box = labels[i].box;
    const ImVec2 low = {static_cast<float>(box.x), static_cast<float>(box.y)};
    const ImVec2 high = {static_cast<float>(box.x + box.width),
                         static_cast<float>(box.y + box.height)};
    // A ground of its own only where it can not be read without.
    if (labels[i].covering) list->AddRectFilled(low, high, packed(painter.palette->panel));
    draw_text(painter, list, low, TextStyle::kSmall, muted, plot.lines[i].label);
  }
  ImPlot::PopPlotClipRect();
}

void draw_series(const Painter& painter, const LinePlot& plot, const Series& series,
                 std::span<const double> outdated, Colour value, float alpha) {
  Points current;
  Points old;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (i >= series.y.size() || !has_place(plot, series.x[i], series.y[i])) continue;
    Points& points = is_outdated(outdated, series.x[i]) ? old : current;
    points.x.push_back(series.x[i]);
    points.y.push_back(series.y[i]);
  }
  draw_points(painter, old, series.mark, false, value, alpha);
  if (current.x.empty()) return;
  if (has_intervals(series) && series.x.size() > kManyIntervals)
    draw_band(plot, series, value, alpha);
  draw_curve(painter, series, current, value, alpha);
  if (has_intervals(series) && series.x.size() <= kManyIntervals)
    draw_intervals(painter, series, outdated, value, alpha);
  if (series.markers) draw_points(painter, current, series.mark, true, value, alpha);
}

void draw_marked(const Painter& painter, double x) {
  if (!(x > 0)) return;
  const ImPlotRect limits = ImPlot::GetPlotLimits();
  const ImVec2 top = ImPlot::PlotToPixels(x, limits.Y.Max);
  const ImVec2 bottom = ImPlot::PlotToPixels(x, limits.Y.Min);
  ImPlot::GetPlotDrawList()->AddLine(top, bottom, packed(painter.palette->muted, 0.8F),
                                     std::max(1.0F, painter.scale));
}

}  // namespace dispersion
